import type { ExportedFunction } from './exported-functions.ts'

/** Words of a type that cannot carry foreign text. Every other word makes a parameter one that may. */
const TEXT_FREE = new Set(
  (
    'number boolean bigint null undefined void readonly keyof typeof as const extends Date AbortSignal AbortController ' +
    'Promise Partial Pick Omit Required Readonly ReadonlyMap ReadonlySet Map Set Iterable AsyncIterable ' +
    'Uint8Array Buffer HTMLElement Element ' +
    'ContextPolicy CompactionPolicy PruningPolicy TruncationPolicy Policy Limits Estimator Calibration Usage Clock ' +
    'PresetName Paint'
  ).split(' '),
)

/**
 * Whether a function may be handed text that a model, a tool, a page or a file wrote. Guilty until shown otherwise: every
 * type counts unless all of its words are known to carry none, and so does a maker without parameters, because what it
 * makes may take text.
 */
export function mayTakeText({ name, parameterTypes }: ExportedFunction): boolean {
  if (parameterTypes.length === 0) return name.startsWith('create')
  return parameterTypes.some((type) => {
    const words = withoutDefault(type).match(/[A-Za-z_$][\w$]*/g) ?? []
    const isText = words.some((word) => !TEXT_FREE.has(word))
    return isText || words.length === 0
  })
}

/** Literal names of fields (`Pick<Limits, 'inputTokens'>`) are no types. */
function withoutDefault(type: string): string {
  return type.replaceAll(/'[^'\n]*'|"[^"\n]*"/g, '').replace(/(?<!=)=(?!>).*$/s, '')
}
