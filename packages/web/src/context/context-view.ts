export type ContextTab = 'window' | 'timeline' | 'compactions' | 'pins'

/** Which part of the context is in sight. */
export interface ContextView {
  readonly tab: ContextTab
  /** The card to bring into sight; another object each time. */
  readonly compactionId: string | null
}
