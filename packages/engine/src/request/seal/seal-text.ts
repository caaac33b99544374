import type { JsonValue } from '../../transcript/json.ts'
import type { ContentPart, Part, ToolOutput } from '../../transcript/message.ts'

const NO_OUTPUT = '[no output]'

/**
 * Text that every provider takes: half a surrogate pair becomes the replacement character, an empty tool result says so.
 * Returns the same parts where nothing had to change; remembered per part.
 */
export function sealParts(parts: readonly Part[]): readonly Part[] {
  return parts.every((part) => sealPart(part) === part) ? parts : parts.map(sealPart)
}

const sealedParts = new WeakMap<Part, Part>()

function sealPart(part: Part): Part {
  const known = sealedParts.get(part)
  if (known !== undefined) return known
  const sealed = makeWellFormed(part)
  sealedParts.set(part, sealed)
  return sealed
}

function makeWellFormed(part: Part): Part {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.isWellFormed() ? part : { ...part, text: part.text.toWellFormed() }
    case 'tool-call':
      return hasLoneSurrogate(JSON.stringify(part.input))
        ? { ...part, input: sealJson(part.input) as typeof part.input }
        : part
    case 'tool-result':
      return sealResult(part, part.output)
    case 'file':
      return part.filename?.isWellFormed() === false ? { ...part, filename: part.filename.toWellFormed() } : part
    case 'image':
      return part
    default:
      return part satisfies never
  }
}

function sealResult(part: Part & { type: 'tool-result' }, output: ToolOutput): Part {
  if (typeof output === 'string') {
    if (output === '') return { ...part, output: NO_OUTPUT }
    return output.isWellFormed() ? part : { ...part, output: output.toWellFormed() }
  }
  const filled = output.filter((content) => content.type !== 'text' || content.text.trim() !== '')
  if (filled.length === 0) return { ...part, output: NO_OUTPUT }
  const sealed = sealParts(filled) as readonly ContentPart[]
  return sealed === filled && filled.length === output.length ? part : { ...part, output: sealed }
}

/** `JSON.stringify` writes a lone surrogate as an escape and everything else as itself. */
function hasLoneSurrogate(json: string): boolean {
  return /\\ud[89a-f]/i.test(json)
}

function sealJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(sealJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key.toWellFormed(), sealJson(child)]))
}
