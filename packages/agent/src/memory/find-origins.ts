import { listClaimedIds, outputText } from '@longhaul/engine/advanced'
import type { Entry, Environment, MessageEntry, SessionContext, State } from '@longhaul/engine/advanced'
import type { WordOrigin } from '@longhaul/tools/port'
import { listMessages } from '../session/list-messages.ts'
import { textOfParts } from '../session/text-of-parts.ts'
import { createUserSayings } from './user-sayings.ts'

/** The context in which a model wrote notes. */
export type SeenContext = Pick<SessionContext, 'state' | 'environment'>

/** Each is looked up in the store, and a page may name as many as it likes. */
const MAX_CLAIMED = 100

/**
 * Who said each of the texts. Where the context holds nothing but what user and model said, it is the user's. Where it
 * holds text of others, or a summary of such text, a note is the user's only if the user really said it: by its words
 * alone nobody can tell what a page suggested from what a model concluded.
 */
export async function findOrigins(
  seen: SeenContext,
  texts: readonly string[],
  findEntry: (id: string) => Promise<Entry | null>,
): Promise<readonly WordOrigin[]> {
  if (!holdsForeignText(seen)) return texts.map(() => 'user')
  const sayings = createUserSayings(await listSayings(seen.state, findEntry))
  return texts.map((text) => (sayings.say(text) ? 'user' : 'elsewhere'))
}

/** A reset leaves everything behind; a summary or a trim does not, because answers that stay may repeat what was read. */
function holdsForeignText({ state, environment }: SeenContext): boolean {
  const { base, foreignSeq } = state.head
  if (holdsForeignNotes(environment)) return true
  if (foreignSeq === null) return false
  return base.kind !== 'reset' || foreignSeq >= base.fromSeq
}

function holdsForeignNotes({ files }: Environment): boolean {
  return files.some(({ isForeign }) => isForeign === true)
}

/** Kinds of facts whose text is a sentence of the user, word for word. */
const OWN_WORDS = new Set(['first-ask', 'latest-ask', 'ask', 'instruction'])

async function listSayings(state: State, findEntry: (id: string) => Promise<Entry | null>): Promise<readonly string[]> {
  const messages = listMessages(state).map(({ message }) => message)
  const outputs = messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'tool-result' && part.toolName === 'recall' ? [outputText(part.output)] : [],
    ),
  )
  const said = [...messages, ...(await findRecalled(outputs, findEntry))]
  return [
    ...said.flatMap(({ role, parts }) => (role === 'user' ? [textOfParts(parts)] : [])),
    ...state.head.pins.map(({ text }) => text),
    ...(state.document?.ledger ?? []).flatMap(({ by, kind, text }) =>
      by === 'user' && OWN_WORDS.has(kind) ? [text] : [],
    ),
  ]
}

/** Messages of the user that `recall` brought back: by the transcript, never by the words below a heading. */
async function findRecalled(
  outputs: readonly string[],
  findEntry: (id: string) => Promise<Entry | null>,
): Promise<readonly MessageEntry[]> {
  const ids = [...new Set(outputs.flatMap(listClaimedIds))].slice(-MAX_CLAIMED)
  const entries = await Promise.all(ids.map(findEntry))
  return entries.flatMap((entry) => (entry?.type === 'message' && entry.role === 'user' ? [entry] : []))
}
