import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRESETS, createRecallIndex } from '@longhaul/engine/advanced'
import type { MessageEntry, RecallIndex, View } from '@longhaul/engine/advanced'
import { FOLDER, loadDataSets } from '../../data-sets.ts'
import { readConversation } from '../conversation.ts'
import { replay } from '../replay.ts'
import { choosing } from '../summarisers.ts'

/** The result of asking questions at the end of a conversation, when most of it has been compacted. */
export interface QuestionResult {
  readonly conversation: string
  /** Questions about what is not in view any more, and how many of them got a line of their evidence. */
  readonly asked: number
  readonly answered: number
  /** Questions of these that got any line, and all lines. */
  readonly bringing: number
  readonly lines: number
  /** Lines of a message that is the evidence of the question, or stands right beside it. */
  readonly relevantLines: number
  /** Questions about other people's conversations, and how many of them got a line all the same. */
  readonly foreign: number
  readonly foreignBringing: number
}

interface Question {
  readonly id: string
  readonly question: string
  readonly categoryName: string
  readonly evidenceMessageIndex: readonly number[]
}

const WINDOW_TOKENS = 16_000
const CONVERSATIONS = [26, 30, 41, 42, 43]
/** The conversation does not answer these. */
const ADVERSARIAL = 'adversarial'
/** Every so many questions of the other conversations are asked. */
const FOREIGN_STEP = 5

/** LoCoMo, for evaluation only: nothing is fitted to it. */
export async function askQuestions(note: (line: string) => void): Promise<readonly QuestionResult[]> {
  const file = join(FOLDER, 'locomo/qa.json')
  if (!existsSync(file)) return []
  const questions = (JSON.parse(readFileSync(file, 'utf8')) as readonly Question[]).filter(
    ({ categoryName }) => categoryName !== ADVERSARIAL,
  )
  const results: QuestionResult[] = []
  for (const [place, number] of CONVERSATIONS.entries()) {
    const [session] = loadDataSets([`locomo/conv-${number}.jsonl`], note)
    if (session === undefined) continue
    const isOwn = ({ id }: Question): boolean => id.startsWith(`locomo_${place}_`)
    const others = questions.filter((question) => !isOwn(question)).filter((_, index) => index % FOREIGN_STEP === 0)
    results.push(await askAbout(`conv-${number}`, session, { own: questions.filter(isOwn), others }))
  }
  return results
}

async function askAbout(
  name: string,
  session: Parameters<typeof readConversation>[0],
  { own, others }: { readonly own: readonly Question[]; readonly others: readonly Question[] },
): Promise<QuestionResult> {
  const conversation = readConversation(session)
  const index = createRecallIndex()
  const entries = conversation.messages.map(({ role, parts, at }, place): MessageEntry => ({
    type: 'message',
    id: `m${place}`,
    seq: place,
    at,
    role,
    parts,
  }))
  for (const entry of entries) index.add(entry)
  const view = await viewAtEnd(conversation)
  const beforeSeq = entries.length - view.items.filter(({ entry }) => entry !== null).length
  const bring = createAsking(index, view, { entries, beforeSeq })
  const about = own.filter(({ evidenceMessageIndex }) => evidenceMessageIndex.some((place) => place < beforeSeq))
  const brought = await Promise.all(
    about.map(async (question) => ({ question, lines: await bring(question.question) })),
  )
  const foreign = await Promise.all(others.map(({ question }) => bring(question)))
  const near = ({ evidenceMessageIndex }: Question, seq: number): boolean =>
    evidenceMessageIndex.some((place) => Math.abs(place - seq) <= 1)
  const sum = (pick: (each: (typeof brought)[number]) => number): number =>
    brought.reduce((total, each) => total + pick(each), 0)
  return {
    conversation: name,
    asked: about.length,
    answered: sum(({ question, lines }) => (lines.some((seq) => question.evidenceMessageIndex.includes(seq)) ? 1 : 0)),
    bringing: sum(({ lines }) => (lines.length > 0 ? 1 : 0)),
    lines: sum(({ lines }) => lines.length),
    relevantLines: sum(({ question, lines }) => lines.filter((seq) => near(question, seq)).length),
    foreign: others.length,
    foreignBringing: foreign.filter(({ length }) => length > 0).length,
  }
}

async function viewAtEnd(conversation: ReturnType<typeof readConversation>): Promise<View> {
  let last: View | null = null
  const options = {
    policy: PRESETS.longhaul,
    windowTokens: WINDOW_TOKENS,
    ask: choosing.ask,
    compactAt: new Set<number>(),
    pins: [],
  }
  await replay(conversation, options, {
    beforeMessage: (_, view) => void (last = view),
    afterMaintenance: () => undefined,
  })
  if (last === null) throw new Error('there was no message')
  return last
}

function createAsking(
  index: RecallIndex,
  { items }: View,
  { entries, beforeSeq }: { readonly entries: readonly MessageEntry[]; readonly beforeSeq: number },
): (question: string) => Promise<readonly number[]> {
  const shown = items.map(({ message }) => message)
  const readAt = async (seqs: readonly number[]): Promise<readonly MessageEntry[]> =>
    seqs.flatMap((seq) => entries[seq] ?? [])
  const maxTokens = WINDOW_TOKENS * (PRESETS.longhaul.recall.maxRatio ?? 0)
  return async (text) => {
    const turn: MessageEntry[] = [
      { type: 'message', id: 'q', seq: Number.MAX_SAFE_INTEGER, at: 0, role: 'user', parts: [{ type: 'text', text }] },
    ]
    const found = await index.bringBack({ turn, beforeSeq, shown, readAt, maxTokens, estimator: 'classes' })
    return found?.lines.map(({ entry }) => entry.seq) ?? []
  }
}
