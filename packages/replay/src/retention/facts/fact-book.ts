import type { Message } from '@longhaul/engine/advanced'
import { foldText } from '../fold-text.ts'
import type { Fact, FactKind, Finding, Occurrence } from './fact.ts'
import { baseName, createFileNames } from './file-names.ts'
import type { FileNames } from './file-names.ts'
import { findInMessage } from './find-in-message.ts'

/** What a conversation holds, message by message. The same for every policy: it comes from the original messages alone. */
export interface FactBook {
  /** By message; each fact once for each way in which it occurs there. */
  readonly byMessage: readonly (readonly Occurrence[])[]
}

const COMMAND_CHARS = 60
const ASK_CHARS = 200
const SENTENCE_CHARS = 120
const MAY_BE_CUT: ReadonlySet<FactKind> = new Set(['command', 'ask', 'instruction', 'decision'])
const CHANGE_OF_FOLDER = /^\s*cd\s+[^\s;&|]+\s*(?:&&|;)\s*/

export function createFactBook(messages: readonly Message[]): FactBook {
  const failed = new Set(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' && part.isError === true ? [part.toolCallId] : [])),
    ),
  )
  const found = messages.map((message) => findInMessage(message, failed))
  const files = found.flat().filter(({ kind }) => kind === 'file')
  const names = createFileNames(
    files.map(({ text }) => text),
    files.filter(({ origin }) => origin === 'said').map(({ text }) => text),
  )
  const facts = new Map<string, Fact>()
  const byMessage = found.map((findings) => {
    const occurrences = new Map<string, Occurrence>()
    for (const finding of findings) {
      const key = keyOf(finding, names)
      if (key === null) continue
      const factKey = `${finding.kind} ${key}`
      const fact = facts.get(factKey) ?? createFact(finding, key, names)
      facts.set(factKey, fact)
      const { origin, effect } = finding
      occurrences.set(`${factKey} ${origin} ${effect}`, { fact, origin, effect })
    }
    return [...occurrences.values()]
  })
  return { byMessage }
}

/** What makes two findings the same fact; null: nothing to look for. */
function keyOf({ kind, text }: Finding, names: FileNames): string | null {
  switch (kind) {
    case 'file':
      return names.resolve(text)
    case 'command':
      return headOf(text.replace(CHANGE_OF_FOLDER, ''), COMMAND_CHARS)
    case 'ask':
      return askNeedle(text)
    case 'instruction':
    case 'decision':
      return headOf(text, SENTENCE_CHARS)
    case 'url':
    case 'id':
    case 'figure':
      return foldText(text)
    default:
      return kind satisfies never
  }
}

/** A file is there by its full path or by its base name; by base name and folder on one line where others share the name. */
function createFact({ kind, text }: Finding, key: string, names: FileNames): Fact {
  if (kind !== 'file') return { kind, text, needles: [key], isCut: MAY_BE_CUT.has(kind), lineNeedles: [] }
  const name = baseName(key)
  const folder = baseName(key.slice(0, Math.max(0, key.length - name.length - 1)))
  if (!names.isShared(key)) return { kind, text, needles: [name], isCut: false, lineNeedles: [] }
  return { kind, text, needles: [key], isCut: false, lineNeedles: folder === '' ? [] : [folder, name] }
}

export function askNeedle(text: string): string | null {
  return headOf(text, ASK_CHARS)
}

function headOf(text: string, maxChars: number): string | null {
  const head = foldText(text).slice(0, maxChars).trim()
  return head === '' ? null : head
}
