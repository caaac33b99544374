import { EMPTY_CHAIN, chainHash, extendChain } from '../../tokens/hash.ts'
import type { Chain } from '../../tokens/hash.ts'
import type { Part } from '../../transcript/message.ts'
import type { ToolSchema } from '../view/environment.ts'
import type { SealedMessage } from './sealed-request.ts'

interface Measure {
  readonly bytes: number
  readonly json: Chain
}

const memo = new WeakMap<readonly Part[] | readonly ToolSchema[], Measure>()

/** UTF-8 bytes of a list as JSON. Remembered per list: a message that stays in the context is read once. */
export function bytesOf(list: readonly Part[] | readonly ToolSchema[]): number {
  return measureList(list).bytes
}

/** UTF-8 bytes of a text, in JSON or not: quotes and escapes are not worth a second pass. */
export function bytesOfText(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= 0x80) bytes += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}

/** Equal hashes mean equal bytes on the wire. */
export function hashRequest(
  system: string | null,
  messages: readonly SealedMessage[],
  tools: readonly ToolSchema[],
): string {
  let chain = extendChain(EMPTY_CHAIN, `${system ?? ''}${listKey(tools)}`)
  for (const { role, parts } of messages) chain = extendChain(chain, `${role}${listKey(parts)}`)
  return chainHash(chain)
}

function listKey(list: readonly Part[] | readonly ToolSchema[]): string {
  return chainHash(measureList(list).json)
}

function measureList(list: readonly Part[] | readonly ToolSchema[]): Measure {
  const known = memo.get(list)
  if (known !== undefined) return known
  const json = JSON.stringify(list)
  const measure = { bytes: bytesOfText(json), json: extendChain(EMPTY_CHAIN, json) }
  memo.set(list, measure)
  return measure
}
