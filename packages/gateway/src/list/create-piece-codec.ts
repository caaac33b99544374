import type { MirrorCodec } from '@longhaul/engine'
import type { Piece, SentPiece } from './piece.ts'
import type { ClientList } from './read-list.ts'

/** Tells a mirror how to read messages of a client, and how to write others. `list`: the one that it is given at the moment. */
export function createPieceCodec(list: () => ClientList): MirrorCodec<SentPiece> {
  return {
    read: (piece) => (piece.kind === 'piece' ? piece.message : piece.shown),
    write(shown, original) {
      if (original === null) return { kind: 'written', shown }
      const { said } = list()
      const place = said.indexOf(original as Piece)
      const hash = said[place]?.hash ?? null
      if (hash === null) throw new Error('A message that is changed is not in the list.')
      return { kind: 'edited', place, hash, shown }
    },
  }
}
