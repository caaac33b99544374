import type { ContextPolicy } from './policy.ts'

/** What is known about a model's window, by who said it. */
export interface WindowSources {
  readonly registry: number | null
  /** The user's word on this model. It replaces the registry's; null says "unknown". */
  readonly override?: number | null
  /** The smallest limit an endpoint has named in an error. */
  readonly learnt?: number | null
}

export interface EffectiveWindow {
  readonly tokens: number | null
  readonly source: 'registry' | 'override' | 'contextTokens' | 'learnt' | 'assumed' | 'unknown'
}

/** The one answer to "how big may the context be": gauge, trigger, flush and report all ask here. */
export function resolveWindow(sources: WindowSources, policy: ContextPolicy): EffectiveWindow {
  const stated: EffectiveWindow =
    sources.override === undefined
      ? { tokens: sources.registry, source: 'registry' }
      : { tokens: sources.override, source: 'override' }
  const candidates = [
    stated,
    { tokens: policy.contextTokens, source: 'contextTokens' },
    { tokens: sources.learnt ?? null, source: 'learnt' },
  ] as const
  let smallest: { tokens: number; source: EffectiveWindow['source'] } | null = null
  for (const { tokens, source } of candidates) {
    if (tokens === null || !Number.isFinite(tokens) || tokens < 1) continue
    if (smallest === null || tokens < smallest.tokens) smallest = { tokens: Math.floor(tokens), source }
  }
  if (smallest !== null) return smallest
  if (policy.assumedWindowTokens === null) return { tokens: null, source: 'unknown' }
  return { tokens: policy.assumedWindowTokens, source: 'assumed' }
}

export interface WindowGuard {
  readonly verdict: 'ok' | 'warn' | 'refuse'
  readonly message: string | null
}

/**
 * Layer 1. Only the creation of a session is ever refused: after a model switch or a learnt window the conversation
 * goes on, whatever this says.
 */
export function guardWindow(window: EffectiveWindow, policy: ContextPolicy): WindowGuard {
  const { warnBelowTokens, refuseBelowTokens } = policy.windowGuard
  if (window.tokens === null) return { verdict: 'ok', message: null }
  const size = `The context window is ${window.tokens} tokens (${SOURCE_WORDS[window.source]})`
  if (refuseBelowTokens !== null && window.tokens < refuseBelowTokens) {
    return {
      verdict: 'refuse',
      message: `${size}; this preset needs at least ${refuseBelowTokens}. Choose a larger model, raise the limit that made it so small, or use another preset.`,
    }
  }
  if (window.tokens < warnBelowTokens) {
    return {
      verdict: 'warn',
      message: `${size}; below ${warnBelowTokens} a conversation is summarised often. A larger model would keep more of it.`,
    }
  }
  return { verdict: 'ok', message: null }
}

const SOURCE_WORDS: Readonly<Record<EffectiveWindow['source'], string>> = {
  registry: 'from the model registry',
  override: 'from your configuration of the model',
  contextTokens: 'from contextTokens',
  learnt: 'learnt from an error of the endpoint',
  assumed: 'assumed, because nobody knows it',
  unknown: 'unknown',
}
