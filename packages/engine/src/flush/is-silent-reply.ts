import type { MemoryFlushPolicy } from '../policy/policy.ts'

/**
 * Whether a flush turn's answer says that there is nothing to show. Notes in files end in the bare token (seed 001); a
 * memory tool's answer may hold it anywhere (seed 004). Case does not matter.
 */
export function isSilentReply(text: string, silentToken: string, target: MemoryFlushPolicy['target']): boolean {
  const token = silentToken.trim().toUpperCase()
  const reply = text.trim().toUpperCase()
  if (token === '') return false
  return target === 'files' ? reply === token : reply.includes(token)
}
