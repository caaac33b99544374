/** `instruction` is what the user wants kept to from now on; it is found by kind, whatever its words. */
export type MemoryKind = 'instruction' | 'fact' | 'note'

/** A piece of a document that is found as one. */
export interface MemoryChunk {
  readonly kind: MemoryKind
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

/** A memory file by its name: `MEMORY.md`, `memory/2026-11-15.md`. In texts NUL becomes a space, half a character U+FFFD. */
export interface MemoryDocument {
  readonly name: string
  readonly updatedAt: number
  readonly text: string
}

export interface MemoryHit extends MemoryChunk {
  readonly document: string
  readonly updatedAt: number
  readonly score: number
}

export interface MemoryQuery {
  /** Empty: the newest of the kinds asked for, the end of a document before its start. Without a word: nothing. */
  readonly query: string
  readonly kinds?: readonly MemoryKind[]
  readonly limit?: number
}

/** A text, and what an embedding model makes of it: texts that mean the same lie near each other. */
export interface TextVector {
  readonly text: string
  readonly vector: readonly number[]
}

export interface NearQuery {
  /** Vectors of another model say nothing about this one's. */
  readonly model: string
  readonly vector: readonly number[]
  readonly kinds?: readonly MemoryKind[]
  readonly limit?: number
}

/** Documents with their index. Where files on disk are the truth, this follows them; where servers share none, this is the truth. */
export interface Memory {
  /** Replaces the document and its chunks in one step. */
  put(document: MemoryDocument, chunks: readonly MemoryChunk[]): Promise<void>
  /**
   * Adds text to the end, atomically among processes, and creates the document where it is missing. `line` of the
   * chunks is counted from the start of the added text. Returns the document as it is now.
   */
  append(document: MemoryDocument, chunks: readonly MemoryChunk[]): Promise<MemoryDocument>
  get(name: string): Promise<MemoryDocument | null>
  list(): Promise<readonly Omit<MemoryDocument, 'text'>[]>
  delete(name: string): Promise<void>
  search(query: MemoryQuery): Promise<readonly MemoryHit[]>
  /** Texts of chunks that have no vector of this model yet, each once, of the newest document first. */
  listWithoutVector(model: string, limit?: number): Promise<readonly string[]>
  /**
   * A vector belongs to its text: it serves every chunk that holds it, stays when the text moves, and goes with its last
   * chunk. Texts that no chunk holds are passed over. Replaces earlier vectors.
   */
  putVectors(model: string, vectors: readonly TextVector[]): Promise<void>
  /** The nearest first, by the angle between vectors. Finds no chunk whose vector is missing or has another length. */
  searchNear(query: NearQuery): Promise<readonly MemoryHit[]>
}
