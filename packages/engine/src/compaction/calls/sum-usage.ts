import type { Usage } from '../../transcript/message.ts'

/** One bill for several calls; null if none of them was billed. A field that no call reported stays absent. */
export function sumUsage(usages: readonly (Usage | null | undefined)[]): Usage | null {
  return usages.reduce<Usage | null>((sum, usage) => add(sum, usage ?? null), null)
}

function add(one: Usage | null, other: Usage | null): Usage | null {
  if (one === null || other === null) return one ?? other
  const optional = OPTIONAL.flatMap((key) => {
    if (one[key] === undefined && other[key] === undefined) return []
    return [[key, (one[key] ?? 0) + (other[key] ?? 0)] as const]
  })
  return { input: one.input + other.input, output: one.output + other.output, ...Object.fromEntries(optional) }
}

const OPTIONAL = ['cacheRead', 'cacheWrite', 'reasoning', 'costUsd'] as const
