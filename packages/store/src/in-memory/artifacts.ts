import type { ArtifactInfo, Artifacts, NewArtifact } from '../port/artifacts.ts'
import type { NewSession } from '../port/sessions.ts'
import { checkId } from '../records/check-id.ts'
import { hashContent } from '../records/hash-content.ts'
import { StoreError } from '../store-error.ts'
import { contentOf, findSession, getSession } from './data.ts'
import type { ArtifactRow, Content, Data } from './data.ts'

export function createInMemoryArtifacts(data: Data): Artifacts {
  return {
    async put(artifact) {
      const { artifacts } = getSession(data, artifact.sessionId)
      const { info, content } = describeArtifact(artifact)
      const held = artifacts.get(info.id)
      checkSame(info, held)
      const stored = { ...info, at: Math.max(info.at, held?.at ?? info.at) }
      contentOf(data).artifactContents.set(info.sha256, content)
      artifacts.set(info.id, stored)
      return stored
    },
    async read(sessionId, id) {
      const artifact = findSession(data, sessionId)?.artifacts.get(id)
      return artifact === undefined ? null : (contentOf(data).artifactContents.get(artifact.sha256) ?? null)
    },
    async list(sessionId) {
      const artifacts = findSession(data, sessionId)?.artifacts ?? new Map<string, ArtifactRow>()
      return [...artifacts].map(([id, { at, bytes, sha256 }]) => ({ id, at, bytes, sha256 }))
    },
    async deleteBefore(at) {
      let deleted = 0
      const content = contentOf(data)
      for (const { artifacts } of content.sessions.values()) {
        for (const [id, artifact] of artifacts) if (artifact.at < at && artifacts.delete(id)) deleted += 1
      }
      dropUnheldContents(content)
      return deleted
    },
  }
}

interface Described {
  readonly info: ArtifactInfo
  readonly content: string
}

/** Those a session is created with. */
export function describeArtifacts({ createdAt, artifacts = [] }: NewSession): readonly Described[] {
  const described = artifacts.map((artifact) => describeArtifact({ ...artifact, at: createdAt }))
  const byId = new Map<string, ArtifactInfo>()
  for (const { info } of described) {
    checkSame(info, byId.get(info.id))
    byId.set(info.id, info)
  }
  return described
}

/** The last one that held a content has let go of it. */
export function dropUnheldContents({ sessions, artifactContents }: Content): void {
  const held = new Set<string>()
  for (const { artifacts } of sessions.values()) for (const { sha256 } of artifacts.values()) held.add(sha256)
  for (const sha256 of artifactContents.keys()) if (!held.has(sha256)) artifactContents.delete(sha256)
}

export function describeArtifact({ id, at, content }: Omit<NewArtifact, 'sessionId'>): Described {
  const kept = content.toWellFormed()
  const sha256 = hashContent(kept)
  if (id !== undefined) checkId(id, 'artifact')
  return { info: { id: id ?? sha256, at, bytes: Buffer.byteLength(kept), sha256 }, content: kept }
}

function checkSame({ id, sha256 }: ArtifactInfo, held: Pick<ArtifactRow, 'sha256'> | undefined): void {
  if (held === undefined || held.sha256 === sha256) return
  throw new StoreError('id-conflict', `There is an artifact ${id} with another content. Store this under another id.`)
}
