import { isIPv4 } from 'node:net'

/** A name or address that never leaves this machine. IPv6 with or without its brackets. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1' || name === '[::1]') return true
  return isIPv4(name) && name.startsWith('127.')
}
