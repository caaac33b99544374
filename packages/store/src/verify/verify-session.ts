import { isDeepStrictEqual } from 'node:util'
import { createState, foldEntry, isCurrentHead } from '@longhaul/engine/advanced'
import type { Entry, Head, State } from '@longhaul/engine/advanced'
import type { SessionRecord } from '../port/sessions.ts'
import type { Store } from '../port/store.ts'
import { findPreview, titleOf } from '../records/describe-session.ts'
import { withoutContent } from '../records/without-content.ts'
import { ADVICE } from './findings.ts'
import type { Findings } from './findings.ts'
import { findDangling } from './find-dangling.ts'
import { verifySurroundings } from './verify-surroundings.ts'
import { walkEntries } from './walk-entries.ts'

export interface SessionResult {
  readonly entries: number
  /** The cache of its fold is wrong or of another version: `repairHead` puts it right. */
  readonly needsRepair: boolean
}

/** One session as it stands: what is appended meanwhile is left for the next time. */
export async function verifySession(
  store: Store,
  session: SessionRecord,
  findings: Findings,
  signal?: AbortSignal,
): Promise<SessionResult> {
  const walk = createWalk()
  const lastSeq = isCurrentHead(session.head) ? session.head.lastSeq : await findLastSeq(store, session.id)
  for await (const { seq, ...walked } of walkEntries(store, session.id, lastSeq)) {
    signal?.throwIfAborted()
    if (walked.entry === null) walk.addFault(seq, walked.fault)
    else walk.addEntry(walked.entry)
  }
  const { id } = session
  // Purged while it was read: what is missing now is meant to be.
  if (walk.missing.length > 0 && (await store.sessions.get(id)) === null) return { entries: 0, needsRepair: false }
  reportFaults(id, walk, findings)
  await verifySurroundings(store, { sessionId: id, entryIds: walk.ids, artifactIds: walk.artifactIds }, findings)
  const needsRepair = isWhole(walk) && (await verifyHead(store, session, walk, findings))
  return { entries: walk.ids.size, needsRepair }
}

/** Where the head cannot be asked. */
async function findLastSeq(store: Store, sessionId: string): Promise<number> {
  const [last] = await store.entries.read(sessionId, { limit: 1, fromEnd: true })
  return last?.seq ?? 0
}

interface Walk {
  readonly missing: number[]
  readonly damaged: number[]
  readonly repeated: number[]
  /** Of what an entry refers to: the number of the entry and what it is. */
  readonly dangling: string[]
  readonly ids: Map<string, number>
  readonly artifactIds: Set<string>
  getState(): State
  getPreview(): string | undefined
  /** Of the last entry, and of the one that claims to be the latest. */
  getTimes(): { readonly last: number; readonly latest: number }
  addFault(seq: number, fault: 'missing' | 'damaged'): void
  addEntry(entry: Entry): void
}

function createWalk(): Walk {
  let state = createState()
  let preview: string | undefined
  let last = Number.NEGATIVE_INFINITY
  let latest = Number.NEGATIVE_INFINITY
  const walk: Walk = {
    missing: [],
    damaged: [],
    repeated: [],
    dangling: [],
    ids: new Map(),
    artifactIds: new Set(),
    getState: () => state,
    getPreview: () => preview,
    getTimes: () => ({ last, latest }),
    addFault: (seq, fault) => void walk[fault].push(seq),
    addEntry(entry) {
      if (walk.ids.has(entry.id)) walk.repeated.push(entry.seq)
      walk.dangling.push(...findDangling(entry, walk.ids).map((name) => `the ${name} of entry ${entry.seq}`))
      walk.ids.set(entry.id, entry.seq)
      for (const id of artifactsOf(entry)) walk.artifactIds.add(id)
      state = foldEntry(state, withoutContent(entry))
      preview = findPreview([entry]) ?? preview
      last = Math.trunc(entry.at)
      latest = Math.max(latest, last)
    },
  }
  return walk
}

function artifactsOf(entry: Entry): readonly string[] {
  if (entry.type !== 'message') return []
  return entry.parts.flatMap((part) =>
    part.type === 'tool-result' && part.artifactId !== undefined ? [part.artifactId] : [],
  )
}

function isWhole({ missing, damaged }: Walk): boolean {
  return missing.length === 0 && damaged.length === 0
}

function reportFaults(sessionId: string, { missing, damaged, repeated, dangling }: Walk, findings: Findings): void {
  if (missing.length > 0) {
    findings.addProblem(sessionId, `Entries are missing: ${describeRuns(missing)}.`, ADVICE.restore)
  }
  if (damaged.length > 0) {
    findings.addProblem(sessionId, `Entries cannot be read: ${describeRuns(damaged)}.`, ADVICE.restore)
  }
  if (repeated.length > 0) {
    findings.addProblem(sessionId, `Entries have the id of an earlier one: ${describeRuns(repeated)}.`, ADVICE.restore)
  }
  if (dangling.length > 0) {
    const more = dangling.length === 1 ? '' : `, and ${dangling.length - 1} more`
    const what = `Not there, though referred to: ${dangling[0]}${more}.`
    findings.addProblem(sessionId, what, 'It has no effect. If it was there once, restore a backup.')
  }
}

/** Whether the head and what a list shows need to be made anew. */
async function verifyHead(store: Store, session: SessionRecord, walk: Walk, findings: Findings): Promise<boolean> {
  const { id, head } = session
  if (!isCurrentHead(head)) {
    findings.addNotice(
      id,
      'Its head was folded by another version of Longhaul.',
      'It is folded anew when it is opened.',
    )
    return true
  }
  verifyTime(session, walk, findings)
  const wrong = findWrongFields(session, walk)
  if (await hasMore(store, id, head.lastSeq)) wrong.unshift('the number of its entries')
  if (wrong.length === 0) return false
  findings.addProblem(id, `The entries say otherwise: ${wrong.join(', ')}.`, ADVICE.repair)
  return true
}

function findWrongFields({ title, preview, header, head }: SessionRecord, walk: Walk): string[] {
  const folded = JSON.parse(JSON.stringify(walk.getState().head)) as Head
  const keys = new Set([...Object.keys(folded), ...Object.keys(head)]) as Set<keyof Head>
  const wrong: string[] = [...keys]
    .filter((key) => !isDeepStrictEqual(folded[key], head[key]))
    .map((key) => `head.${key}`)
  if (title !== titleOf(header, folded)) wrong.push('its title')
  if (preview !== (walk.getPreview() ?? null)) wrong.push('its preview')
  return wrong
}

/** Only the last entry of each append moves it, and nobody remembers which those were: so there are bounds, no value. */
function verifyTime({ id, createdAt, updatedAt }: SessionRecord, walk: Walk, findings: Findings): void {
  const { last, latest } = walk.getTimes()
  if (updatedAt >= Math.max(createdAt, last) && updatedAt <= Math.max(createdAt, latest)) return
  findings.addNotice(id, 'Its last change is not at the time of its entries.', 'Only the order of lists suffers.')
}

/** Entries that the head does not know of. An append since it was read has moved the head as well. */
async function hasMore(store: Store, sessionId: string, lastSeq: number): Promise<boolean> {
  const more = await store.entries.read(sessionId, { from: lastSeq + 1, limit: 1 })
  if (more.length === 0) return false
  return (await store.sessions.get(sessionId))?.head.lastSeq === lastSeq
}

/** `3, 7 to 12` */
function describeRuns(seqs: readonly number[]): string {
  const runs: [number, number][] = []
  for (const seq of seqs) {
    const run = runs.at(-1)
    if (run?.[1] === seq - 1) run[1] = seq
    else runs.push([seq, seq])
  }
  const shown = runs.slice(0, 10).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`))
  return runs.length > shown.length ? `${shown.join(', ')} and others, ${seqs.length} in all` : shown.join(', ')
}
