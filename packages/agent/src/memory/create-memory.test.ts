import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInMemoryStore } from '@longhaul/store'
import { afterEach, describe, expect, it } from 'vitest'
import { createMemory } from './create-memory.ts'
import type { AgentMemory } from './create-memory.ts'
import { createMemoryFolder } from '../testing/create-memory-folder.ts'

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

async function open(): Promise<{ readonly memory: AgentMemory; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-memory-'))
  folders.push(folder)
  return { folder, memory: openIn(folder) }
}

function openIn(folder: string | null): AgentMemory {
  return createMemory({
    store: createInMemoryStore().memory,
    folder: folder === null ? null : createMemoryFolder(folder),
    now: Date.now,
    today: () => '2026-11-15',
  })
}

describe.each([['files'], ['store']])('kept in %s', (where) => {
  const start = async (): Promise<AgentMemory> => (where === 'files' ? (await open()).memory : openIn(null))

  it('OPEN-09 OPEN-10 what is saved is found and read again', async () => {
    const memory = await start()
    expect(await memory.save('The deploy port is 9090.\n- Ann owns billing')).toEqual({
      file: 'memory/2026-11-15.md',
      added: 2,
    })
    expect(await memory.search('which port for the deploy')).toMatchObject([
      { document: 'memory/2026-11-15.md', text: expect.stringContaining('9090') },
    ])
    expect(await memory.read('memory/2026-11-15.md')).toBe(
      '# 2026-11-15\n\n- The deploy port is 9090.\n- Ann owns billing\n',
    )
    expect(await memory.list()).toEqual(['memory/2026-11-15.md'])
  })

  it('OPEN-09 says nothing twice, not even when told at the same time', async () => {
    const memory = await start()
    const results = await Promise.all([
      memory.save('A is 1.'),
      memory.save('* a IS  1.'),
      memory.save('A is 1.\nB is 2.'),
    ])
    expect(results.map(({ added }) => added)).toEqual([1, 0, 1])
    expect(await memory.read('memory/2026-11-15.md')).toBe('# 2026-11-15\n\n- A is 1.\n- B is 2.\n')
  })

  it('standing instructions are found by kind', async () => {
    const memory = await start()
    await memory.save('Always answer in French.\nThe sky was grey.')
    await memory.save('tea, no sugar', { kind: 'instruction' })
    const texts = (await memory.search('', { kind: 'instruction' })).map(({ text }) => text)
    expect(texts).toEqual(['- Instruction: tea, no sugar', '- Always answer in French.'])
  })

  it('no secret reaches it', async () => {
    const memory = await start()
    await memory.save('The key is sk-proj-7abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN and the city is Oslo.')
    const text = await memory.read('memory/2026-11-15.md')
    expect(text).toContain('Oslo')
    expect(text).not.toContain('abcdefghijklmnop')
  })

  it.each(['../secret.md', 'memory/../../x.md', '/etc/passwd', 'notes.md', 'memory/a.txt', ''])(
    '%j is no memory file',
    async (name) => {
      expect(await (await start()).read(name)).toBeNull()
    },
  )
})

describe('files', () => {
  it('OPEN-09 a new folder gets what the store has kept, and loses none of it', async () => {
    const store = createInMemoryStore().memory
    const options = { store, now: Date.now, today: () => '2026-11-15' }
    await createMemory({ ...options, folder: null }).save('The port is 9090.')
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-memory-'))
    folders.push(folder)
    const memory = createMemory({ ...options, folder: createMemoryFolder(folder) })
    expect(await memory.search('port')).toHaveLength(1)
    expect(await readFile(join(folder, 'memory/2026-11-15.md'), 'utf8')).toContain('9090')
  })

  it('OPEN-09 edited by hand are found as they are now; deleted ones are not', async () => {
    const { memory, folder } = await open()
    await memory.save('It rained.')
    await writeFile(join(folder, 'MEMORY.md'), '# About\n\nThe cat is called Mia.\n')
    expect(await memory.search('cat')).toMatchObject([{ document: 'MEMORY.md', line: 3 }])
    await rm(join(folder, 'MEMORY.md'))
    expect(await memory.search('cat')).toEqual([])
  })

  it('OPEN-09 what another program adds meanwhile stays', async () => {
    const { memory, folder } = await open()
    await memory.save('One.')
    await writeFile(join(folder, 'memory/2026-11-15.md'), '- from elsewhere', { flag: 'a' })
    await memory.save('Two.')
    expect(await readFile(join(folder, 'memory/2026-11-15.md'), 'utf8')).toBe(
      '# 2026-11-15\n\n- One.\n- from elsewhere\n- Two.\n',
    )
  })
})
