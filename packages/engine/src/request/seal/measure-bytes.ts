import { EMPTY_CHAIN, chainHash, extendChain, linkChain } from '../../tokens/hash.ts'
import type { Chain } from '../../tokens/hash.ts'
import type { Part } from '../../transcript/message.ts'
import { remember } from '../../transcript/remember.ts'
import type { ToolSchema } from '../view/environment.ts'
import type { SealedMessage } from './sealed-request.ts'

interface Measure {
  readonly bytes: number
  readonly json: Chain
}

type Element = Part | ToolSchema

/** UTF-8 bytes of a list as JSON. Remembered per element: what stays in the context is read once, joined or not. */
export function bytesOf(list: readonly Element[]): number {
  return list.reduce((bytes, element) => bytes + measureElement(element).bytes + 1, list.length === 0 ? 2 : 1)
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

let lastSystem: Measure & { readonly text: string } = { text: '', ...measureText('') }

/** The newest system text is remembered: it is long, and request after request has the same. */
function measureSystem(text: string): Measure {
  if (lastSystem.text !== text) lastSystem = { text, ...measureText(text) }
  return lastSystem
}

function measureText(text: string): Measure {
  return { bytes: bytesOfText(text), json: extendChain(EMPTY_CHAIN, text) }
}

/** The size of a request, and its hash: equal hashes mean equal bytes on the wire. */
export function measureRequest(
  system: string | null,
  messages: readonly SealedMessage[],
  tools: readonly ToolSchema[],
): { readonly bytes: number; readonly bytesHash: string } {
  let { bytes, json: chain } = measureSystem(system ?? '')
  const add = (list: readonly Element[]): void => {
    bytes += list.length === 0 ? 2 : 1
    for (const element of list) {
      const measure = measureElement(element)
      bytes += measure.bytes + 1
      chain = linkChain(chain, measure.json)
    }
  }
  add(tools)
  for (const { role, parts } of messages) {
    chain = extendChain(chain, role)
    add(parts)
  }
  return { bytes, bytesHash: chainHash(chain) }
}

const measureElement = remember((element: Element): Measure => measureText(JSON.stringify(element)))
