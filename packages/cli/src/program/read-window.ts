import { InvalidArgumentError } from 'commander'

const MIN_WINDOW_TOKENS = 1_000

/** A number of tokens as it is typed: 64000, 200k, 1M. */
export function readWindow(text: string): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text.replaceAll(/[_,]/g, '')) ?? []
  const tokens = Number(digits) * ({ k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1)
  if (!Number.isSafeInteger(tokens) || tokens < MIN_WINDOW_TOKENS)
    throw new InvalidArgumentError('It must be a number of tokens from 1,000: 64000, 64k, 1M.')
  return tokens
}
