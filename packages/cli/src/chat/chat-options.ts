export interface ChatOptions {
  readonly session?: string
  readonly model?: string
  readonly preset?: string
  readonly agent?: string
  readonly message?: string
  readonly plain?: true
}
