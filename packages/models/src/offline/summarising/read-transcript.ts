import type { JsonObject, MessageEntry, Part } from '@longhaul/engine/advanced'
import { toJsonObject } from '@longhaul/engine/advanced'
import { createEntry } from './create-entry.ts'

/** With the number that a message may be shown under. */
const MESSAGE_START = /^(?=(?:#\d{1,9} )?(?:(?:User|Assistant): |\[[\w.:/-]{1,100} (?:answered|failed)\] ))/m
const NUMBER = /^#(\d{1,9}) /
const CALL = /^\[calls ([\w.:/-]{1,100}) (\{.*)\]$/
const RESULT = /^\[([\w.:/-]{1,100}) (answered|failed)\] ([\s\S]*)$/

/** Messages again, out of the text that a summariser is shown. Where a line only looks like a label, a message is two. */
export function readTranscript(transcript: string): readonly MessageEntry[] {
  const open: { readonly id: string; readonly toolName: string }[] = []
  const texts = transcript.split(MESSAGE_START).filter((text) => text.trim() !== '')
  return texts.map((shown, index) => {
    const seq = Number(NUMBER.exec(shown)?.[1] ?? index)
    const text = shown.replace(NUMBER, '')
    const result = RESULT.exec(text)
    if (result !== null) return createEntry(seq, 'tool', [readResult(result, open, index)])
    const [, label = 'User', words = text] = /^(User|Assistant): ([\s\S]*)$/.exec(text) ?? []
    if (label === 'User') return createEntry(seq, 'user', [{ type: 'text', text: words.trim() }])
    const lines = words.split('\n')
    const spoken = lines.filter((line) => !CALL.test(line)).join('\n')
    const calls = lines.flatMap((line, place): readonly Part[] => {
      const [, toolName, input = ''] = CALL.exec(line) ?? []
      if (toolName === undefined) return []
      const id = `call-${index}-${place}`
      open.push({ id, toolName })
      return [{ type: 'tool-call', toolCallId: id, toolName, input: readInput(input) }]
    })
    return createEntry(seq, 'assistant', [{ type: 'text', text: spoken.trim() }, ...calls])
  })
}

export function isNumbered(transcript: string): boolean {
  return NUMBER.test(transcript)
}

/** Belongs to the oldest call of that tool nothing came back from yet. */
function readResult(
  [, toolName = '', verb, output = '']: RegExpExecArray,
  open: { readonly id: string; readonly toolName: string }[],
  index: number,
): Part {
  const at = open.findIndex((call) => call.toolName === toolName)
  const id = at < 0 ? `call-${index}` : (open.splice(at, 1)[0]?.id ?? '')
  return { type: 'tool-result', toolCallId: id, toolName, output: output.trim(), isError: verb === 'failed' }
}

/** Arguments are cut in a preview, so they are often no JSON any more; the strings in it still tell files and commands. */
function readInput(text: string): JsonObject {
  try {
    return toJsonObject(JSON.parse(text))
  } catch {
    const pairs = text.matchAll(/"(\w{1,60})":"((?:[^"\\]|\\.)*)/g)
    return Object.fromEntries([...pairs].map(([, key = '', value = '']) => [key, value]))
  }
}
