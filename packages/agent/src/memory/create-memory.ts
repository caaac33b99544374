import { redactSecrets } from '@longhaul/engine/advanced'
import type { Embedder } from '@longhaul/models/port'
import type { Memory, MemoryHit, MemoryKind } from '@longhaul/store/port'
import type { WordOrigin } from '@longhaul/tools/port'
import type { LogLine } from '../port/agent-options.ts'
import { fuseRanks } from './fuse-ranks.ts'
import { isMemoryName } from './memory-folder.ts'
import type { MemoryFolder } from './memory-folder.ts'
import { createNoteVectors } from './note-vectors.ts'
import { FOREIGN_MARK, INSTRUCTION_MARK, isForeignNote, keyOf, splitLines, withoutBullet } from './note-marks.ts'
import { splitNotes } from './split-notes.ts'

export interface MemoryOptions {
  readonly store: Memory
  /** Where files are the truth and the store follows them; null: the store is the truth, for servers that share no folder. */
  readonly folder: MemoryFolder | null
  /** Notes are then found by what they mean as well; without it, by their words. */
  readonly embedder?: Embedder
  readonly now: () => number
  /** YYYY-MM-DD in the user's time zone. */
  readonly today: () => string
  readonly log?: (line: LogLine) => void
}

export interface SaveResult {
  readonly file: string
  /** Notes that were new; what was there already is not written again. */
  readonly added: number
  /** How many of them are marked as not from the user. */
  readonly foreign: number
}

export interface FoundNote extends MemoryHit {
  /** False: it is marked as not from the user, and is data to whoever reads it. */
  readonly trusted: boolean
}

export interface SaveOptions {
  readonly kind?: MemoryKind
  /** Notes that are not the user's are marked as such. Without it all of them are the user's. */
  readonly originsOf?: (texts: readonly string[]) => Promise<readonly WordOrigin[]>
}

/** What outlasts a conversation. Only ever added to. */
export interface AgentMemory {
  save(text: string, options?: SaveOptions): Promise<SaveResult>
  /** Best first. An empty query finds the newest. */
  search(
    query: string,
    options?: { readonly kind?: MemoryKind; readonly limit?: number },
  ): Promise<readonly FoundNote[]>
  /** null: no such file. */
  read(name: string): Promise<string | null>
  list(): Promise<readonly string[]>
  /** Ends what goes on in the background. Before the store is closed. */
  close(): Promise<void>
}

export function createMemory(options: MemoryOptions): AgentMemory {
  const { store, folder, embedder, now, today, log = () => undefined } = options
  const vectors = embedder === undefined ? null : createNoteVectors({ store, embedder, now, log })
  let saving: Promise<unknown> = Promise.resolve()

  /**
   * Files may have been edited by hand since: those that changed are indexed anew. `written` was changed just now, perhaps
   * in the same millisecond as the last time, so its date does not tell.
   */
  async function follow(written?: string): Promise<void> {
    if (folder === null) return
    const known = new Map((await store.list()).map(({ name, updatedAt }) => [name, updatedAt]))
    const { files, leftOut } = await folder.list()
    // A folder without any memory is a new one, not one whose files were deleted: what the store has is written there.
    if (files.length === 0 && leftOut.length === 0) return fillFolder(folder)
    for (const { name, updatedAt } of files) {
      const isKnown = known.get(name) === updatedAt && name !== written
      known.delete(name)
      const text = isKnown ? null : await folder.read(name)
      if (text !== null) await store.put({ name, updatedAt, text }, splitNotes(text))
    }
    for (const name of known.keys()) await store.delete(name)
  }

  async function fillFolder(target: MemoryFolder): Promise<void> {
    for (const { name } of await store.list()) {
      const document = await store.get(name)
      if (document !== null && isMemoryName(name)) await target.append(name, document.text)
    }
  }

  async function readText(name: string): Promise<string> {
    return (folder === null ? (await store.get(name))?.text : await folder.read(name)) ?? ''
  }

  async function save(text: string, how: SaveOptions): Promise<SaveResult> {
    const file = `memory/${today()}.md`
    const before = await readText(file)
    const known = createKnownNotes(`${before}\n${await readText('MEMORY.md')}`)
    const notes = (await readNotes(text, how)).filter(known.isNew)
    if (notes.length === 0) return { file, added: 0, foreign: 0 }
    const start = before === '' ? `# ${today()}\n\n` : before.endsWith('\n') ? '' : '\n'
    const added = `${start}${notes.map((note) => `- ${note}\n`).join('')}`
    if (folder === null) await store.append({ name: file, updatedAt: now(), text: added }, splitNotes(added))
    else {
      await folder.append(file, added)
      await follow(file)
    }
    vectors?.catchUp()
    return { file, added: notes.length, foreign: notes.filter(isForeignNote).length }
  }

  return {
    // One after the other: two that save the same at once would not see each other.
    save(text, how = {}) {
      const saved = saving.then(() => save(text, how))
      saving = saved.catch(() => undefined)
      return saved
    },
    async search(query, { kind, limit = DEFAULT_HITS } = {}) {
      await follow()
      vectors?.catchUp()
      const kinds = kind === undefined ? {} : { kinds: [kind] }
      if (vectors === null || query.trim() === '') return tellOrigin(await store.search({ query, ...kinds, limit }))
      const wide = { ...kinds, limit: Math.max(limit, FUSED_HITS) }
      const lists = await Promise.all([store.search({ query, ...wide }), vectors.search(query, wide)])
      return tellOrigin(fuseRanks(lists).slice(0, Math.max(1, limit)))
    },
    async read(name) {
      if (!isMemoryName(name)) return null
      return folder === null ? ((await store.get(name))?.text ?? null) : folder.read(name)
    },
    async list() {
      await follow()
      return (await store.list()).map(({ name }) => name).toSorted()
    },
    async close() {
      await vectors?.close()
    },
  }
}

const DEFAULT_HITS = 50
/** Of each search at least: what is tenth in both may well be the best. */
const FUSED_HITS = 50
const MAX_NOTES = 100
const MAX_NOTE_CHARS = 2_000

/** One note a line, without secrets: a memory file is read by everybody who opens the folder. */
async function readNotes(text: string, { kind, originsOf }: SaveOptions): Promise<readonly string[]> {
  const lines = splitLines(redactSecrets(text))
    .map((line) => withoutBullet(line).trim().slice(0, MAX_NOTE_CHARS).toWellFormed())
    .filter((line) => line !== '' && !/^#{1,6}\s/.test(line))
    .slice(0, MAX_NOTES)
  const origins = await originsOf?.(lines)
  return lines.map((line, index) => {
    // Marked again by a model that saves what it found in memory.
    if (line.startsWith(FOREIGN_MARK)) return line
    if (origins !== undefined && origins[index] !== 'user') return `${FOREIGN_MARK}${line}`
    return kind === 'instruction' ? `${INSTRUCTION_MARK}${line}` : line
  })
}

interface KnownNotes {
  /** Whether a note says something that is not there yet; from then on it is there. */
  readonly isNew: (note: string) => boolean
}

/** What the user said counts for both; what stands there marked does not keep the user from saying it. */
function createKnownNotes(text: string): KnownNotes {
  const own = new Set<string>()
  const foreign = new Set<string>()
  const add = (note: string): boolean => {
    const key = keyOf(note)
    const isForeign = isForeignNote(note)
    const isNew = !own.has(key) && !(isForeign && foreign.has(key))
    ;(isForeign ? foreign : own).add(key)
    return isNew
  }
  for (const line of text.split('\n')) add(line)
  return { isNew: add }
}

function tellOrigin(hits: readonly MemoryHit[]): readonly FoundNote[] {
  return hits.map((hit) => ({ ...hit, trusted: !isForeignNote(hit.text) }))
}
