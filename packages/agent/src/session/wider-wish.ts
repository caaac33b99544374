import type { WiderWish } from '@longhaul/engine/advanced'

/** For a client that asks for more than the owner set. */
export function describeRefused(wishes: readonly WiderWish[]): string {
  const keys = wishes.map(
    ({ key, asked, allowed }) => `${key}: ${show(asked)} was asked for, ${show(allowed)} is allowed`,
  )
  return `The configuration of this Longhaul allows less. ${keys.join('; ')}. Whoever runs it can change that.`
}

/** For the status of a session whose stored words ask for more than the owner allows now. */
export function describeLowered({ key, asked, allowed }: WiderWish): string {
  return `${key} is ${show(allowed)} here: the session asks for ${show(asked)}, and the configuration allows no more.`
}

function show(value: WiderWish['asked']): string {
  if (value === null) return 'off'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
