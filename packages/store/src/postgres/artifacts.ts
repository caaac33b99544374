import type { ArtifactInfo, Artifacts, NewArtifact } from '../port/artifacts.ts'
import type { NewSession } from '../port/sessions.ts'
import { checkId } from '../records/check-id.ts'
import { hashContent } from '../records/hash-content.ts'
import { StoreError } from '../store-error.ts'
import type { Database } from './database/database.ts'
import { toKey } from './database/keys.ts'
import type { Query } from './database/statements.ts'
import type { Tables } from './database/tables.ts'
import { deleteUnheldContents } from './purge.ts'

/** In the database, because servers share no disk. PostgreSQL compresses what is long by itself. */
export function createPostgresArtifacts({ tables, read, transaction }: Database): Artifacts {
  return {
    async put(artifact) {
      const described = describeArtifact(artifact)
      return transaction((query) => insertArtifact(query, tables, toKey(artifact.sessionId), described))
    },
    async read(sessionId, id) {
      const [row] = await read<{ content: Buffer }>(
        `select c.content from ${tables.artifacts} a join ${tables.artifact_contents} c using (sha256)
        where a.session_id = $1 and a.id = $2`,
        [toKey(sessionId), toKey(id)],
      )
      return row === undefined ? null : row.content.toString('utf8')
    },
    async list(sessionId) {
      return read<ArtifactInfo>(
        `select id, at, bytes, sha256 from ${tables.artifacts} where session_id = $1 order by at, id`,
        [toKey(sessionId)],
      )
    },
    async deleteBefore(at) {
      return transaction(async (query) => {
        const deleted = await query<{ sha256: string }>(
          `delete from ${tables.artifacts} where at < $1 returning sha256`,
          [at],
        )
        await deleteUnheldContents(
          query,
          tables,
          deleted.map(({ sha256 }) => sha256),
        )
        return deleted.length
      })
    },
  }
}

export interface DescribedArtifact {
  readonly info: ArtifactInfo
  readonly content: Buffer
}

export function describeArtifact({ id, at, content }: Omit<NewArtifact, 'sessionId'>): DescribedArtifact {
  if (id !== undefined) checkId(id, 'artifact')
  const bytes = Buffer.from(content, 'utf8')
  const sha256 = hashContent(bytes)
  return { info: { id: id ?? sha256, at, bytes: bytes.length, sha256 }, content: bytes }
}

/** Those a session is created with. */
export function describeArtifacts({ createdAt, artifacts = [] }: NewSession): readonly DescribedArtifact[] {
  return artifacts.map((artifact) => describeArtifact({ ...artifact, at: createdAt }))
}

export async function insertArtifact(
  query: Query,
  tables: Tables,
  sessionId: string,
  { info, content }: DescribedArtifact,
): Promise<ArtifactInfo> {
  const { id, at, bytes, sha256 } = info
  await query(
    `insert into ${tables.artifact_contents} (sha256, content) select $1, $2
    where not exists (select from ${tables.artifact_contents} where sha256 = $1)
    on conflict (sha256) do nothing`,
    [sha256, content],
  )
  const [row] = await query<{ at: number }>(
    `insert into ${tables.artifacts} as held (session_id, id, at, bytes, sha256) values ($1, $2, $3, $4, $5)
    on conflict (session_id, id) do update set at = greatest(held.at, excluded.at) where held.sha256 = excluded.sha256
    returning at`,
    [sessionId, id, at, bytes, sha256],
  )
  if (row === undefined) {
    throw new StoreError('id-conflict', `There is an artifact ${id} with another content. Store this under another id.`)
  }
  return { ...info, at: row.at }
}
