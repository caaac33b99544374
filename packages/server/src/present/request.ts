import type { Request, RequestDetail } from '@longhaul/protocol'
import type { RequestDescription, SettledRequest } from '@longhaul/runtime'
import { presentContextItem } from './context.ts'

export function presentRequest({ manifest, outcome }: SettledRequest): Request {
  const { number, at, purpose, model, tokens, items, numbers } = manifest
  return {
    number,
    at,
    model,
    purpose: purpose ?? 'turn',
    tokens: tokens.tokens,
    window: numbers?.windowTokens ?? null,
    source: tokens.source,
    itemCount: items.length,
    outcome,
  }
}

export function presentRequestDetail(
  settled: SettledRequest,
  { exact, reason, environment, items }: RequestDescription,
): RequestDetail {
  return {
    ...presentRequest(settled),
    exact,
    reason,
    items: [...environment, ...items].map((item) => ({ ...presentContextItem(item), text: item.text })),
  }
}
