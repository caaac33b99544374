import { readEntry } from '@longhaul/engine/advanced'
import type { Entry } from '@longhaul/engine/advanced'
import type { ImportedSession, TranscriptArtifact, TranscriptSession } from './imported-session.ts'
import { createSkipList } from './parse-lines.ts'
import type { Fields, LineGroup } from './parse-lines.ts'
import { readTime } from './read-values.ts'
import { renumber } from './renumber.ts'

/** Our own format. Entries of a newer version come back as `unknown` and are written again as they came. */
export function readLonghaul(group: LineGroup): ImportedSession {
  const entries: Entry[] = []
  const artifacts = new Map<string, TranscriptArtifact>()
  const skipped = createSkipList(group.skipped)
  let header: Fields | undefined
  for (const { line, value } of group.lines) {
    if (value['type'] === 'session') {
      header ??= value
    } else if (value['type'] === 'artifact') {
      const artifact = readArtifact(value)
      if (artifact === null) skipped.add(line, 'an artifact without id or content')
      else if (artifacts.has(artifact.id)) skipped.add(line, 'an artifact whose id is taken')
      else artifacts.set(artifact.id, artifact)
    } else {
      const entry = readEntry(withIdentity(value, entries.at(-1)))
      if (entry === null) skipped.add(line, 'not an entry')
      else entries.push(entry)
    }
  }
  return {
    format: 'longhaul',
    session: readSession(header ?? {}, entries),
    entries: renumber(entries),
    artifacts: [...artifacts.values()],
    skipped: skipped.list(),
  }
}

/** Files written by hand may leave out number and name; an entry of an unknown type is worth keeping all the same. */
function withIdentity(value: Fields, last: Entry | undefined): Fields {
  if (typeof value['type'] !== 'string') return value
  const seq = (last?.seq ?? 0) + 1
  const hasSeq = Number.isSafeInteger(value['seq'])
  const hasId = typeof value['id'] === 'string' && value['id'] !== ''
  if (hasSeq && hasId) return value
  return { ...value, ...(hasSeq ? {} : { seq }), ...(hasId ? {} : { id: `entry-${seq}` }) }
}

function readArtifact(value: Fields): TranscriptArtifact | null {
  const { type: _type, ...artifact } = value
  const { id, content } = artifact
  return typeof id === 'string' && id !== '' && typeof content === 'string' ? { ...artifact, id, content } : null
}

function readSession(header: Fields, entries: readonly Entry[]): TranscriptSession {
  const { type: _type, version: _version, ...session } = header
  const { id, createdAt } = session
  const time = createdAt ?? entries[0]?.at
  return {
    ...withoutWrongTexts(session),
    id: typeof id === 'string' && id !== '' ? id : 'session-1',
    createdAt: typeof time === 'number' ? time : readTime(time),
  }
}

function withoutWrongTexts(session: Fields): Fields {
  const texts = new Set(['title', 'model', 'systemPrompt'])
  const isUsable = ([key, value]: [string, unknown]) => !texts.has(key) || typeof value === 'string'
  return Object.fromEntries(Object.entries(session).filter(isUsable))
}
