import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModels } from '@longhaul/models'
import { createHttpError, createScriptedEmbedding } from '@longhaul/models/testing'
import type { ScriptedEmbeddingOptions } from '@longhaul/models/testing'
import { createInMemoryStore } from '@longhaul/store'
import type { Memory } from '@longhaul/store/port'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeStores } from '../../../../test/describe-stores.ts'
import type { LogLine } from '../port/agent-options.ts'
import { createMemory } from './create-memory.ts'
import { createMemoryFolder } from '../testing/create-memory-folder.ts'

const SYNONYMS = [
  ['car', 'automobile'],
  ['basement', 'garage'],
  ['tea', 'brew'],
]

interface StartOptions extends ScriptedEmbeddingOptions {
  readonly folder?: string
}

/** Memory with a real embedding interface over a scripted model, on a clock that is moved by hand. */
function start(store: Memory, { folder, ...options }: StartOptions = {}) {
  const model = createScriptedEmbedding({ synonyms: SYNONYMS, ...options })
  // A second of waiting takes a millisecond.
  const clock = {
    now: () => performance.now() * 1_000,
    setTimer: (ms: number, run: () => void) => {
      const timer = setTimeout(run, ms / 1_000)
      return () => clearTimeout(timer)
    },
  }
  const lines: LogLine[] = []
  const waiting = new Map<string, () => void>()
  let now = Date.now()
  const memory = createMemory({
    store,
    folder: folder === undefined ? null : createMemoryFolder(folder),
    embedder: createModels({ extraEmbeddings: { 'my/embed': model }, clock }).embedder('my/embed'),
    now: () => now,
    today: () => '2026-11-15',
    log(line) {
      lines.push(line)
      waiting.get(line.event)?.()
    },
  })
  onTestFinished(() => memory.close())
  return {
    memory,
    lines,
    texts: () => model.calls.flatMap(({ values }) => values),
    passTime: (ms: number) => void (now += ms),
    /** Resolves with the next line of this kind. */
    heard: (event: string) => new Promise<void>((resolve) => waiting.set(event, resolve)),
  }
}

type Started = ReturnType<typeof start>

/** Saves notes and waits until they have their vectors. */
async function save({ memory, heard }: Started, text: string): Promise<void> {
  const embedded = heard('notes-embedded')
  await memory.save(text)
  await embedded
}

async function find({ memory }: Started, query: string, options = {}): Promise<readonly string[]> {
  return (await memory.search(query, options)).map(({ text }) => text)
}

const NOTES = 'The car stands in the basement.\nAnn owns billing.\nThe printer says ERR_4711 on Mondays.'

describeStores('OPEN-10 memory with an embedding model', (open) => {
  it('finds a note by other words than its own, which words alone cannot', async () => {
    const { memory: store } = await open()
    const started = start(store)
    await save(started, NOTES)
    expect(await store.search({ query: 'automobile garage' })).toEqual([])
    expect((await find(started, 'automobile garage'))[0]).toBe('- The car stands in the basement.')
  })

  it('keeps first what words find and meaning does not know', async () => {
    const { memory: store } = await open()
    const started = start(store)
    await save(started, NOTES)
    const [byWords] = await store.search({ query: 'ERR_4711' })
    expect((await find(started, 'ERR_4711'))[0]).toBe(byWords?.text)
    expect(await find(started, 'ERR_4711 automobile', { limit: 2 })).toEqual([
      '- The printer says ERR_4711 on Mondays.',
      '- The car stands in the basement.',
    ])
  })

  it('puts each note into a vector once, however often it is saved, searched and opened', async () => {
    const { memory: store } = await open()
    const first = start(store)
    await save(first, NOTES)
    await save(first, 'Green tea after lunch.')
    await first.memory.save(NOTES)
    await first.memory.search('tea')
    await first.memory.close()
    expect(first.texts().toSorted()).toEqual(
      [...NOTES.split('\n').map((note) => `- ${note}`), '- Green tea after lunch.', 'tea'].toSorted(),
    )
    const second = start(store)
    expect((await find(second, 'brew'))[0]).toBe('- Green tea after lunch.')
    await second.memory.close()
    expect(second.texts()).toEqual(['brew'])
  })

  it('finds only the kinds asked for, and the newest without a question', async () => {
    const started = start((await open()).memory)
    await save(started, 'Always park the car outside.\nThe car is blue.')
    expect(await find(started, 'automobile', { kind: 'instruction' })).toEqual(['- Always park the car outside.'])
    expect(await find(started, ' ', { kind: 'instruction' })).toEqual(['- Always park the car outside.'])
    expect(started.texts().filter((text) => text.trim() === '')).toEqual([])
  })
})

describe('an embedding model that fails', () => {
  const throttled = createHttpError({ status: 401, message: 'Incorrect API key provided: sk-1234567890abcdefghijkl' })

  it('leaves notes to be found by their words, says so once, and is asked again after a while', async () => {
    let isDown = true
    const { memory: store } = createInMemoryStore()
    const started = start(store, {
      before: async () => {
        if (isDown) throw throttled
      },
    })
    const failed = started.heard('embedding-failed')
    await started.memory.save(NOTES)
    await failed
    expect(await find(started, 'car')).toEqual(['- The car stands in the basement.'])
    expect(started.texts()).toHaveLength(3)
    expect(started.lines).toMatchObject([{ level: 'warn', event: 'embedding-failed', model: 'my/embed' }])
    expect(JSON.stringify(started.lines)).not.toContain('abcdefghijkl')

    isDown = false
    started.passTime(60_000)
    const embedded = started.heard('notes-embedded')
    await started.memory.search('car')
    await embedded
    expect((await find(started, 'automobile'))[0]).toBe('- The car stands in the basement.')
  })

  it('or never answers holds up neither a save nor a search', async () => {
    const started = start(createInMemoryStore().memory, { before: () => new Promise(() => {}) })
    expect(await started.memory.save(NOTES)).toMatchObject({ added: 3 })
    expect(await find(started, 'car')).toEqual(['- The car stands in the basement.'])
    await started.memory.close()
    expect(started.lines.map(({ event }) => event)).toContain('embedding-failed')
  })

  it('is not asked for the same notes for ever by a store that keeps no vectors', async () => {
    const { memory: store } = createInMemoryStore()
    const started = start({ ...store, putVectors: async () => {} })
    await save(started, NOTES)
    await started.memory.search('car')
    await started.memory.close()
    expect(started.texts().filter((text) => text.includes('billing')).length).toBeLessThan(4)
  })
})

describe('files with an embedding model', () => {
  it('edited by hand are found by what they mean now, without their secrets leaving the house', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-memory-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { memory: store } = createInMemoryStore()
    const started = start(store, { folder })
    await save(started, NOTES)
    const embedded = started.heard('notes-embedded')
    const key = 'sk-proj-7abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN'
    await writeFile(join(folder, 'MEMORY.md'), `Green tea at four.\n\nThe key is ${key}.\n`)
    await started.memory.search('brew')
    await embedded
    expect((await find(started, 'brew'))[0]).toBe('Green tea at four.')
    await find(started, key)
    expect(started.texts().join('\n')).not.toContain(key)
    await rm(join(folder, 'MEMORY.md'))
    expect(await find(started, 'brew')).not.toContain('Green tea at four.')
  })
})

describe('closing', () => {
  it('ends what is under way and starts nothing more', async () => {
    const asked = Promise.withResolvers<AbortSignal | undefined>()
    const started = start(createInMemoryStore().memory, {
      before: ({ abortSignal }) => {
        asked.resolve(abortSignal)
        return new Promise(() => {})
      },
    })
    await started.memory.save(NOTES)
    const signal = await asked.promise
    await started.memory.close()
    expect(signal?.aborted).toBe(true)
    await started.memory.save('More.')
    await started.memory.search('more')
    expect(started.texts()).toHaveLength(3)
    expect(started.lines).toEqual([])
  })
})
