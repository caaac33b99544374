import { InvalidArgumentError } from 'commander'

const MAX_PORT = 65_535

/** A port as it was typed. */
export function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > MAX_PORT)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_PORT}.`)
  return port
}
