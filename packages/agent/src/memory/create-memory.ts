import { redactSecrets } from '@longhaul/engine'
import type { Memory, MemoryHit, MemoryKind } from '@longhaul/store/port'
import { isMemoryName } from './memory-folder.ts'
import type { MemoryFolder } from './memory-folder.ts'
import { INSTRUCTION_MARK, splitNotes, withoutBullet } from './split-notes.ts'

export interface MemoryOptions {
  readonly store: Memory
  /** Where files are the truth and the store follows them; null: the store is the truth, for servers that share no folder. */
  readonly folder: MemoryFolder | null
  readonly now: () => number
  /** YYYY-MM-DD in the user's time zone. */
  readonly today: () => string
}

export interface SaveResult {
  readonly file: string
  /** Notes that were new; what was there already is not written again. */
  readonly added: number
}

/** What outlasts a conversation. Only ever added to. */
export interface AgentMemory {
  save(text: string, kind?: MemoryKind): Promise<SaveResult>
  search(
    query: string,
    options?: { readonly kind?: MemoryKind; readonly limit?: number },
  ): Promise<readonly MemoryHit[]>
  /** null: no such file. */
  read(name: string): Promise<string | null>
  list(): Promise<readonly string[]>
}

export function createMemory({ store, folder, now, today }: MemoryOptions): AgentMemory {
  let saving: Promise<unknown> = Promise.resolve()

  /** Files may have been edited by hand since: those that changed are indexed anew. */
  async function follow(): Promise<void> {
    if (folder === null) return
    const known = new Map((await store.list()).map(({ name, updatedAt }) => [name, updatedAt]))
    for (const { name, updatedAt } of await folder.list()) {
      const isKnown = known.get(name) === updatedAt
      known.delete(name)
      const text = isKnown ? null : await folder.read(name)
      if (text !== null) await store.put({ name, updatedAt, text }, splitNotes(text))
    }
    for (const name of known.keys()) await store.delete(name)
  }

  async function readText(name: string): Promise<string> {
    return (folder === null ? (await store.get(name))?.text : await folder.read(name)) ?? ''
  }

  async function save(text: string, kind?: MemoryKind): Promise<SaveResult> {
    const file = `memory/${today()}.md`
    const before = await readText(file)
    const known = new Set(`${before}\n${await readText('MEMORY.md')}`.split('\n').map(keyOf))
    const notes = readNotes(text, kind).filter((note) => {
      const isNew = !known.has(keyOf(note))
      known.add(keyOf(note))
      return isNew
    })
    if (notes.length === 0) return { file, added: 0 }
    const start = before === '' ? `# ${today()}\n\n` : before.endsWith('\n') ? '' : '\n'
    const added = `${start}${notes.map((note) => `- ${note}\n`).join('')}`
    if (folder === null) await store.append({ name: file, updatedAt: now(), text: added }, splitNotes(added))
    else {
      await folder.append(file, added)
      await follow()
    }
    return { file, added: notes.length }
  }

  return {
    // One after the other: two that save the same at once would not see each other.
    save(text, kind) {
      const saved = saving.then(() => save(text, kind))
      saving = saved.catch(() => undefined)
      return saved
    },
    async search(query, { kind, limit } = {}) {
      await follow()
      return store.search({
        query,
        ...(kind === undefined ? {} : { kinds: [kind] }),
        ...(limit === undefined ? {} : { limit }),
      })
    },
    async read(name) {
      if (!isMemoryName(name)) return null
      return folder === null ? ((await store.get(name))?.text ?? null) : folder.read(name)
    },
    async list() {
      await follow()
      return (await store.list()).map(({ name }) => name).toSorted()
    },
  }
}

const MAX_NOTES = 100
const MAX_NOTE_CHARS = 2_000

/** One note a line, without secrets: a memory file is read by everybody who opens the folder. */
function readNotes(text: string, kind: MemoryKind | undefined): readonly string[] {
  const lines = redactSecrets(text)
    .split('\n')
    .map((line) => withoutBullet(line).trim().slice(0, MAX_NOTE_CHARS).toWellFormed())
    .filter((line) => line !== '' && !/^#{1,6}\s/.test(line))
    .slice(0, MAX_NOTES)
  return kind === 'instruction' ? lines.map((line) => `${INSTRUCTION_MARK}${line}`) : lines
}

function keyOf(line: string): string {
  return withoutBullet(line).replace(INSTRUCTION_MARK, '').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
