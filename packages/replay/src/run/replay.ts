import { estimateField } from '@longhaul/engine'
import { createRegistry, loadCountTokens } from '@longhaul/models/prices'
import type { CountTokens, Registry } from '@longhaul/models/prices'
import type { ImportedSession } from '@longhaul/store/jsonl'
import type { ReplayPolicy } from '../carriers/carrier.ts'
import { createConversation } from '../conversation/conversation.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { measureSizes } from '../conversation/message-sizes.ts'
import { createReferenceBook } from '../retention/reference-book.ts'
import type { Question } from '../retention/retention.ts'
import { createSummaryWriter, describeSource } from '../summaries/summaries.ts'
import type { SummarySource } from '../summaries/summaries.ts'
import { replayConversation } from './replay-conversation.ts'
import type { RunResult } from './run-result.ts'

export interface ReplayOptions {
  /** Left out: an exact tokenizer, and where bills tell how far off it is, a quicker estimate. */
  readonly countTokens?: CountTokens | undefined
  /** Whose window, prices and cache hold; left out: the one each transcript names. */
  readonly model?: string | undefined
  /** Left out: the model's. */
  readonly windowTokens?: number | undefined
  readonly summaries?: SummarySource | undefined
  readonly questions?: readonly Question[] | undefined
  /** How many hits of a search are read. */
  readonly recallHits?: number | undefined
  readonly registry?: Registry | undefined
  /** Called before each run. */
  readonly onRun?: ((run: { readonly policy: string; readonly conversation: string }) => void) | undefined
}

export interface ReplayReport {
  /** Who wrote the summaries, for all alike. */
  readonly summaries: string
  readonly recallHits: number
  /** Conversation by conversation, in each the policies in their order. */
  readonly runs: readonly RunResult[]
}

/** Where neither the caller nor the registry knows a window. */
const ASSUMED_WINDOW_TOKENS = 200_000
const RECALL_HITS = 5
/** Fewer do not tell how far off an estimate is. */
const MIN_BILLS = 8

/** Transcripts through policies, without calling a model: what each would have sent, paid and kept. */
export async function replay(
  transcripts: readonly ImportedSession[],
  policies: readonly ReplayPolicy[],
  options: ReplayOptions,
): Promise<ReplayReport> {
  const { questions = [], recallHits = RECALL_HITS, registry = createRegistry(), onRun } = options
  const source = options.summaries ?? { kind: 'extractive' }
  const runs: RunResult[] = []
  for (const transcript of transcripts) {
    const conversation = withOwnName(createConversation(transcript), runs)
    const countTokens = options.countTokens ?? (await chooseCounter(conversation))
    const sizes = measureSizes(conversation, countTokens)
    const book = createReferenceBook(conversation)
    const model = options.model ?? conversation.model
    const info = model === null ? null : registry.describe(model)
    const windowTokens = options.windowTokens ?? info?.maxInput ?? info?.contextWindow ?? ASSUMED_WINDOW_TOKENS
    for (const policy of policies) {
      onRun?.({ policy: policy.name, conversation: conversation.name })
      const summaries = createSummaryWriter(source, conversation.recorded, countTokens)
      const maxOutputTokens = info?.maxOutput ?? null
      const run = {
        conversation,
        sizes,
        windowTokens,
        maxOutputTokens,
        summaries,
        book,
        questions,
        recallHits,
        registry,
        model,
      }
      runs.push(await replayConversation(policy, run))
    }
  }
  return { summaries: describeSource(source), recallHits, runs }
}

/** Results are told apart by name. */
function withOwnName(conversation: Conversation, runs: readonly RunResult[]): Conversation {
  const taken = new Set(runs.map((run) => run.conversation))
  let { name } = conversation
  for (let count = 2; taken.has(name); count += 1) name = `${conversation.name} (${count})`
  return { ...conversation, name }
}

/** With bills to scale it by, the engine's estimate does as well as a tokenizer of another vendor, and is there at once. */
async function chooseCounter({ messages }: Conversation): Promise<CountTokens> {
  const billed = messages.filter(({ bill }) => bill !== null).length
  return billed >= MIN_BILLS ? (text) => estimateField(text, 'classes') : loadCountTokens()
}
