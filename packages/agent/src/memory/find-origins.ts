import { outputText } from '@longhaul/engine/advanced'
import type { Entry, MessageEntry, State } from '@longhaul/engine/advanced'
import type { WordOrigin } from '@longhaul/tools/port'
import { listMessages } from '../session/list-messages.ts'
import { textOfParts } from '../session/text-of-parts.ts'
import { listClaimedIds, renderRecalled } from './tools/render-recalled.ts'

/** Most of its words, at least: models write down what was said in words of their own. */
const SAID_SHARE = 0.5
/** Nearly all: a conclusion that a model draws from what it has read shares many words with it. */
const READ_SHARE = 0.8

/** Looked up in the store, each: a page may name as many as it likes. */
const MAX_CLAIMED = 100

/**
 * Who said each of the texts: by how many of its words stand in one message of the user, and how many in one page, file or
 * other result of a tool. What `recall` brought back is the user's where the transcript says so, and read like a page
 * otherwise. Where nothing was read and nothing left out, nobody else can have said it. The conversation is read once.
 */
export async function findOrigins(
  state: State,
  texts: readonly string[],
  findEntry: (id: string) => Promise<Entry | null>,
): Promise<readonly WordOrigin[]> {
  const messages = listMessages(state).map(({ message }) => message)
  const results = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'))
  const { kind } = state.head.base
  // A summary or an answer may still hold what a page said that has left the context.
  const isWhole = kind === 'start' || kind === 'reset'
  if (isWhole && results.length === 0) return texts.map(() => 'user')
  const outputs = results.map(({ toolName, output }) => ({
    isRecalled: toolName === 'recall',
    text: outputText(output),
  }))
  const recalled = await findRecalled(
    outputs.flatMap(({ isRecalled, text }) => (isRecalled ? [text] : [])),
    findEntry,
  )
  const read = outputs.map(({ isRecalled, text }) => (isRecalled ? withoutMessages(text, recalled) : text))
  const said = [
    ...[...messages, ...recalled].flatMap(({ role, parts }) => (role === 'user' ? [textOfParts(parts)] : [])),
    ...(state.document?.ledger ?? []).flatMap((fact) => (fact.by === 'user' ? [fact.text] : [])),
  ]
  const [saidWords, readWords] = [said.map(wordsOf), read.map(wordsOf)]
  return texts.map((text) => {
    const words = wordsOf(text)
    return judge(findShare(words, saidWords), findShare(words, readWords))
  })
}

/** What the user really said of all that is shown as the user's: by the transcript, never by the words below a heading. */
async function findRecalled(
  outputs: readonly string[],
  findEntry: (id: string) => Promise<Entry | null>,
): Promise<readonly MessageEntry[]> {
  const ids = [...new Set(outputs.flatMap(listClaimedIds))].slice(-MAX_CLAIMED)
  const entries = await Promise.all(ids.map(findEntry))
  return entries.flatMap((entry) => (entry?.type === 'message' && entry.role === 'user' ? [entry] : []))
}

/** A long message is shown in part, and stays. */
function withoutMessages(output: string, messages: readonly MessageEntry[]): string {
  return messages.reduce((text, message) => text.replaceAll(renderRecalled(message, ''), ''), output)
}

function judge(byUser: number, byTool: number): WordOrigin {
  if (byUser >= SAID_SHARE && byUser >= byTool) return 'user'
  return byTool >= READ_SHARE ? 'tool' : 'unknown'
}

function findShare(words: ReadonlySet<string>, texts: readonly ReadonlySet<string>[]): number {
  if (words.size === 0) return 0
  return Math.max(0, ...texts.map((text) => words.intersection(text).size / words.size))
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]{3,}/gu

/** Scripts without spaces count by their characters. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(WORD))
}
