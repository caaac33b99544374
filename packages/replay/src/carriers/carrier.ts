import type { CheckPoint, Message, Usage, ViewKind } from '@longhaul/engine/advanced'
import type { Conversation, ReplayMessage } from '../conversation/conversation.ts'
import type { MessageSizes } from '../conversation/message-sizes.ts'
import type { SummaryWriter } from '../summaries/summaries.ts'

/** One message of a request, or what stands in for some. */
export interface RequestItem {
  /** Equal keys are equal bytes. */
  readonly key: string
  readonly kind: ViewKind
  readonly state: 'verbatim' | 'soft-trimmed' | 'cleared' | 'summarised'
  readonly message: Message
  readonly tokens: number
  /** Its place in the conversation; null: nobody said it. */
  readonly index: number | null
}

/** A call to a model that maintenance made, or would have made: replay asks none. */
export interface MaintenanceCall {
  /** The request it continues, so that a warm cache is read; null: all of it is new. */
  readonly prefix: readonly RequestItem[] | null
  /** Beside the prefix. */
  readonly inputTokens: number
  readonly outputTokens: number
  /** Another model than the session's; null: the session's. */
  readonly model: string | null
}

export interface ReplayEvent {
  readonly action: 'prune' | 'flush' | 'prepare' | 'compact' | 'trim' | 'failed' | 'block'
  /** The plan's own words. */
  readonly reason: string
  /** Somebody waits for the call before the answer can begin. */
  readonly isForeground: boolean
  readonly tokensBefore: number | null
  readonly tokensAfter: number | null
  readonly call: MaintenanceCall | null
}

export interface Moment {
  readonly checkPoint: CheckPoint
  readonly at: number
}

/** One policy at work on one conversation. */
export interface Carrier {
  /** `usage`: what the request cost that this message answers. */
  append(message: ReplayMessage, usage: Usage | null): void
  /** Does whatever the policy does at this moment. */
  maintain(moment: Moment): Promise<readonly ReplayEvent[]>
  /** What a request sent now holds, after system prompt and tools. */
  request(): readonly RequestItem[]
}

export interface CarrierOptions {
  readonly conversation: Conversation
  readonly sizes: MessageSizes
  readonly windowTokens: number
  readonly maxOutputTokens: number | null
  readonly summaries: SummaryWriter
}

/** A way of carrying conversations: a preset, a policy of one's own, a peer's. All run through the same loop. */
export interface ReplayPolicy {
  readonly name: string
  readonly kind: 'longhaul' | 'peer' | 'recorded'
  /** What it does, in one line. */
  readonly about: string
  /** Where its digits come from. */
  readonly source: string
  /** What left the context can be searched for. */
  readonly canRecall: boolean
  start(options: CarrierOptions): Carrier
}
