import type { Usage } from '@longhaul/engine/advanced'
import type { ModelFinish } from '../port/model-event.ts'
import type { ModelFailure, ModelFailureKind } from '../port/model-failure.ts'

/** An answer that came back without an error. Numbers and yes or no, never what it says. */
export interface FinishedAnswer {
  readonly usage: Usage | null
  readonly finish: ModelFinish
  /** No text and no tool call. */
  readonly outputIsEmpty: boolean
  /** The window the caller reckons with. */
  readonly windowTokens?: number | null | undefined
  /** What the caller measured before it sent. */
  readonly expectedInputTokens?: number | null | undefined
  /** It came from a server of the kind that cuts prompts without a word. */
  readonly mayCutPrompts: boolean
}

/** An endpoint that counts a little differently still counts as full. */
const FULL = 0.99
const MIN_EXPECTED_TOKENS = 1_000
/** A cut leaves half of a window that the prompt was larger than; the rest is for estimates that are too high. */
const MAX_SHARE_AFTER_CUT = 0.6
/** The smallest context that Ollama ever had by default. */
const MIN_CONTEXT_TOKENS = 2_048

/** What went wrong although the endpoint said all is well; null where nothing did. */
export function findSilentOverflow(answer: FinishedAnswer): ModelFailure | null {
  const { usage, finish, outputIsEmpty } = answer
  const window = answer.windowTokens ?? Number.POSITIVE_INFINITY
  const input = usage?.input ?? 0
  if (input > window && (outputIsEmpty || finish === 'length')) {
    const message = `The endpoint took ${input} tokens although the window is ${window}, and had no room for an answer.`
    return failure('input-overflow', message, { actual: input, limit: null })
  }
  // A whole answer is never thrown away, whatever its bill says: the bill teaches the meter, and the next request is smaller.
  if (outputIsEmpty) {
    // Thinking that used up the output is not silence.
    if (finish === 'length' && (usage?.output ?? 0) > 0) return null
    const isFull = Math.max(input, answer.expectedInputTokens ?? 0) >= FULL * window
    return isFull
      ? failure('input-overflow', 'The endpoint answered nothing to a prompt that fills its window.', null)
      : failure('empty', 'The model ended without an answer.', null)
  }
  const contextSize = answer.mayCutPrompts ? findCutContext(answer) : null
  if (contextSize === null) return null
  const message = `The endpoint read ${input} of about ${answer.expectedInputTokens} tokens: it cut the prompt to fit ${contextSize}.`
  return failure('input-overflow', message, { actual: null, limit: contextSize })
}

/**
 * Ollama cuts a prompt that is larger than `num_ctx` to num_ctx / 2 + 2 tokens, older versions to num_ctx, and says
 * nothing. A count far below the estimate is not proof: endpoints leave cached tokens out, and first estimates can be
 * far off. So the count must also be one that such a cut leaves. Returns the context's size.
 */
function findCutContext({ usage, expectedInputTokens }: FinishedAnswer): number | null {
  const expected = expectedInputTokens ?? 0
  if (usage === null || expected < MIN_EXPECTED_TOKENS || usage.input >= MAX_SHARE_AFTER_CUT * expected) return null
  // Who counts its cache is no such endpoint.
  if ((usage.cacheRead ?? 0) > 0 || (usage.cacheWrite ?? 0) > 0) return null
  if (usage.input >= MIN_CONTEXT_TOKENS && usage.input % 1_024 === 0) return usage.input
  // Two tokens more than half were measured, and three.
  return [2, 3].map((extra) => (usage.input - extra) * 2).find(isContextSize) ?? null
}

/** Contexts are set in whole thousands or in multiples of 1,024. */
function isContextSize(tokens: number): boolean {
  return tokens >= MIN_CONTEXT_TOKENS && (tokens % 1_024 === 0 || tokens % 1_000 === 0)
}

function failure(kind: ModelFailureKind, message: string, tokens: ModelFailure['tokens']): ModelFailure {
  return { kind, message, isRetryable: kind === 'empty', status: null, retryAfterMs: null, tokens }
}
