import type { PlannedCall } from './calling/choose-tool.ts'

/** A sentence of the context, word for word, and where it stood. */
interface Quote {
  readonly text: string
  readonly source: string
}

export interface Answer {
  readonly question: string
  /** None: it is not in the context. */
  readonly quotes: readonly Quote[]
}

export interface ToolReport {
  readonly toolName: string
  readonly isError: boolean
  readonly text: string
}

export type Remark = 'noted' | 'welcome' | 'nothing-said' | 'cannot-see' | 'cannot-write' | 'no-tool'

/** What the model is going to do, as data. */
export type OfflinePlan =
  | { readonly kind: 'introduce'; readonly toolNames: readonly string[] }
  /** `searched` names the tools that were asked for what the context does not hold. */
  | { readonly kind: 'answer'; readonly answers: readonly Answer[]; readonly searched: readonly string[] }
  | { readonly kind: 'report'; readonly reports: readonly ToolReport[] }
  | { readonly kind: 'call-tools'; readonly calls: readonly PlannedCall[] }
  | { readonly kind: 'remark'; readonly remark: Remark }
  /** Exactly this: a summary, a title, the word that means silence. */
  | { readonly kind: 'text'; readonly text: string }
