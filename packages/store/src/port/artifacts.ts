export interface NewArtifact {
  readonly sessionId: string
  /** Without one it is named after its content. */
  readonly id?: string
  readonly at: number
  /** Kept as UTF-8: half a character becomes U+FFFD. */
  readonly content: string
}

export interface ArtifactInfo {
  readonly id: string
  readonly at: number
  readonly bytes: number
  readonly sha256: string
}

/** Full tool outputs, stored once per content. Only a session that holds one can read it. */
export interface Artifacts {
  /**
   * Resolves once it is on disk. The same id with other content rejects with `id-conflict`; with the same content it
   * only moves `at`, so that it is kept as long as its newest use.
   */
  put(artifact: NewArtifact): Promise<ArtifactInfo>
  /** null if the session has none of that name, or it was deleted by retention. */
  read(sessionId: string, id: string): Promise<string | null>
  list(sessionId: string): Promise<readonly ArtifactInfo[]>
  /** Those last put before this time; returns how many. */
  deleteBefore(at: number): Promise<number>
}
