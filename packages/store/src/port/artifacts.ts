export interface NewArtifact {
  readonly sessionId: string
  /** Without one it is named after its content. */
  readonly id?: string
  readonly at: number
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
  /** Resolves once it is on disk. The same id with other content rejects with `id-conflict`. */
  put(artifact: NewArtifact): Promise<ArtifactInfo>
  /** null if the session has none of that name, or it was deleted by retention. */
  read(sessionId: string, id: string): Promise<string | null>
  list(sessionId: string): Promise<readonly ArtifactInfo[]>
  deleteBefore(at: number): Promise<number>
}
