import { fromByteText } from '../json/bytes.ts'
import { spliceList } from '../list/splice-list.ts'
import type { SentPiece } from '../list/piece.ts'
import type { ClientList } from '../list/read-list.ts'
import type { SentList } from '../recognize/conversation.ts'
import type { GatewayCall, PreparedBody } from './gateway-call.ts'
import type { GatewayContext } from './gateway-context.ts'
import type { ClientRequest } from './read-request.ts'

/**
 * Counts what would be sent, so that a client that counts before it asks does not compact for nothing: the list that was
 * sent last, and whatever the client has added since. Nothing is stored for a count.
 */
export async function prepareCount(
  call: GatewayCall,
  { clues, list, text }: ClientRequest,
  { directory }: GatewayContext,
): Promise<PreparedBody> {
  const own: PreparedBody = { bytes: call.bytes, isEdited: false }
  const last = (await directory.peek(clues))?.last ?? null
  const sent = last === null ? null : continueList(last, list)
  const spliced = sent === null ? null : spliceList({ text, list }, sent, call.wire)
  return spliced === null ? own : { bytes: fromByteText(spliced), isEdited: true }
}

/** null: the list does not go on from the one that was sent. */
function continueList({ list: before, sent }: SentList, list: ClientList): readonly SentPiece[] | null {
  const isContinued = before.pieces.every(({ hash }, index) => hash === list.pieces[index]?.hash)
  if (!isContinued || before.pieces.length > list.pieces.length) return null
  const places = new Map<SentPiece, number>(before.pieces.map((piece, index) => [piece, index]))
  const again = sent.map((piece) => list.pieces[places.get(piece) ?? -1] ?? piece)
  return [...again, ...list.pieces.slice(before.pieces.length)]
}
