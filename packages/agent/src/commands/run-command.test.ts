import { createModels } from '@longhaul/models'
import { createScriptedModel } from '@longhaul/models/testing'
import type { Models } from '@longhaul/models/port'
import { describe, expect, it } from 'vitest'
import { createMemory } from '../memory/create-memory.ts'
import type { AgentMemory } from '../memory/create-memory.ts'
import { SMALL_TALK } from '../testing/fill-session.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import type { CommandResult } from './command.ts'
import { isCommand, listCommands, runCommand } from './run-command.ts'

const start = useAgents({ policy: { compaction: { memoryFlush: { enabled: false } } } })

interface Session {
  readonly under: AgentUnderTest
  readonly id: string
  readonly memory: AgentMemory
  readonly run: (line: string) => Promise<CommandResult>
}

function createTwoModels(): Models {
  const model = createScriptedModel(({ tools = [] }) =>
    tools.length === 0 ? '<summary>\n+ Goal: water the beds\n</summary>' : 'Noted. '.repeat(10),
  )
  return createModels({
    extra: {
      'scripted/large': { model, info: { contextWindow: 32_000, maxOutput: 4_000 } },
      'scripted/small': { model, info: { contextWindow: 16_000, maxOutput: 2_000 } },
    },
    defaultModel: 'scripted/large',
  })
}

async function startSession(turns = 0, options: StartOptions = {}): Promise<Session> {
  const models = createTwoModels()
  const under = start({ models, ...options })
  const { id } = await under.agent.createSession({ title: 'Garden', preset: 'longhaul' })
  for (let turn = 1; turn <= turns; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK}`)
  const { store, agent } = under
  const memory = createMemory({ store: store.memory, folder: null, now: Date.now, today: () => '2026-11-15' })
  const context = { agent, store, models, memory, sessionId: id, signal: new AbortController().signal }
  return { under, id, memory, run: (line) => runCommand(line, context) }
}

describe('what is a command', () => {
  it.each(['/status', '/compact keep the figures', '  /HELP ', '/nonsense'])('%j is', (line) => {
    expect(isCommand(line)).toBe(true)
  })
  it.each(['/', '/usr/bin/env', 'status', 'a /status', '/2 of it', ''])('%j is something to say', (line) => {
    expect(isCommand(line)).toBe(false)
  })
})

describe('/status and /context', () => {
  it('OPEN-04 SPEC-01 /status tells tokens, window, percent, compactions, model and cost', async () => {
    const { run } = await startSession(5)
    const result = await run('/status')
    expect(result).toMatchObject({
      command: 'status',
      status: {
        title: 'Garden',
        model: 'scripted/large',
        preset: 'longhaul',
        tokens: { window: 32_000, source: 'reported' },
        windowSource: 'override',
        learntWindow: null,
        costUsd: null,
        unpricedCalls: 5,
        messageCount: 10,
        compactionCount: 0,
        pins: 0,
      },
    })
    if (result.command !== 'status') return
    const { context, percent, threshold, input, output } = result.status.tokens
    expect(context).toBeGreaterThan(300)
    expect(percent).toBeCloseTo(((context ?? 0) / 32_000) * 100)
    expect(threshold).toBeGreaterThan(20_000)
    expect(Math.min(input, output)).toBeGreaterThan(0)
    expect(result.status.turnsLeft).toBeGreaterThan(10)
  })

  it('LH-04 /status names the numbers of the preset that the window cannot hold', async () => {
    const { run } = await startSession(0, { preset: 'openclaw' })
    await run('/preset openclaw')
    const result = await run('/status')
    expect(result).toMatchObject({ command: 'status', status: { clamps: expect.arrayContaining([]) } })
    expect(JSON.stringify(result)).toContain('compaction.reserveTokens')
  })

  it('OPEN-04 /context tells what takes the space: system prompt, tools, pins, messages', async () => {
    const { run } = await startSession(1)
    await run('/pin The gate is green.')
    const result = await run('/context')
    expect(result).toMatchObject({ command: 'context', form: 'list' })
    if (result.command !== 'context') return
    const { items, used, window } = result.report
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['system', 'tools', 'user', 'assistant', 'pin']))
    expect(window).toBe(32_000)
    expect(used).toBeGreaterThan(0)
    expect(items.find(({ kind }) => kind === 'user')).toMatchObject({
      state: 'verbatim',
      label: expect.stringContaining('Message 1.'),
    })
    expect(await run('/context detail')).toMatchObject({ form: 'detail' })
    expect(await run('/context json')).toMatchObject({ form: 'json' })
  })

  it('/context refuses other forms by name', async () => {
    const { run } = await startSession()
    await expect(run('/context pie')).rejects.toMatchObject({
      code: 'invalid-request',
      message: 'Say list, detail, json; not "pie".',
    })
  })
})

describe('/compact and /undo', () => {
  it('OPEN-14 /compact takes instructions; /undo takes it back; both say what changed', async () => {
    const { run, under, id } = await startSession(40)
    const compacted = await run('/compact keep the figures')
    expect(compacted).toMatchObject({ command: 'compact' })
    if (compacted.command === 'compact') expect(compacted.tokensAfter).toBeLessThan(compacted.tokensBefore)
    const entry = (await under.entries(id)).find(({ type }) => type === 'compaction')
    expect(entry).toMatchObject({ instructions: 'keep the figures' })
    expect(await run('/undo')).toMatchObject({ command: 'undo', undone: [entry?.id], tokens: expect.any(Number) })
    await expect(run('/undo')).rejects.toMatchObject({ code: 'nothing-to-undo' })
  })

  it('ONE-15 /compact says so where there is nothing to do', async () => {
    const { run } = await startSession()
    await expect(run('/compact')).rejects.toMatchObject({ code: 'nothing-to-compact' })
  })
})

describe('/new and /reset', () => {
  it('OPEN-02 /new starts a fresh session with the same settings; the old one stays readable', async () => {
    const { run, under, id } = await startSession(1)
    await run('/model scripted/small')
    await run('/preset micro')
    const result = await run('/new')
    if (result.command !== 'new') throw new Error('not new')
    expect(result.session.id).not.toBe(id)
    expect(result.session.head).toMatchObject({ model: 'scripted/small', settings: { preset: 'micro' } })
    expect(result.session.head.totals.messages).toBe(0)
    expect(JSON.stringify(await under.entries(id))).toContain('Message 1.')
  })

  it('OPEN-02 /reset clears the context and keeps the transcript', async () => {
    const { run, under, id } = await startSession(1)
    expect(await run('/reset')).toEqual({ command: 'reset' })
    const result = await run('/context')
    if (result.command === 'context') expect(result.report.items.some(({ kind }) => kind === 'user')).toBe(false)
    expect(JSON.stringify(await under.entries(id))).toContain('Message 1.')
  })
})

describe('/model and /preset', () => {
  it('show what there is, change it, and help with a slip of the pen', async () => {
    const { run } = await startSession()
    expect(await run('/model')).toMatchObject({
      model: 'scripted/large',
      didChange: false,
      choices: expect.arrayContaining(['scripted/large', 'scripted/small', 'offline/extractive']),
    })
    expect(await run('/model scripted/small')).toMatchObject({ model: 'scripted/small', didChange: true })
    expect(await run('/model')).toMatchObject({ model: 'scripted/small' })
    await expect(run('/model scripted/smal')).rejects.toMatchObject({
      code: 'invalid-request',
      message: 'scripted/smal cannot be used here. Did you mean scripted/small?',
    })
    await expect(run('/model ???')).rejects.toMatchObject({ code: 'invalid-request' })

    expect(await run('/preset')).toMatchObject({
      preset: 'longhaul',
      choices: ['oneclaw', 'openclaw', 'micro', 'spec008', 'longhaul'],
    })
    expect(await run('/preset spec008')).toMatchObject({ preset: 'spec008', didChange: true })
    expect(await run('/status')).toMatchObject({ status: { preset: 'spec008' } })
    await expect(run('/preset longhau')).rejects.toThrow('Did you mean longhaul?')
  })
})

describe('/pin, /pins and /unpin', () => {
  it('keep, list by number, and let go', async () => {
    const { run } = await startSession()
    expect(await run('/pins')).toEqual({ command: 'pins', pins: [] })
    await run('/pin The gate is green.')
    await run('/pin  Never prune in June. ')
    expect(await run('/pins')).toMatchObject({
      pins: [
        { number: 1, text: 'The gate is green.' },
        { number: 2, text: 'Never prune in June.' },
      ],
    })
    expect(await run('/unpin 1')).toEqual({ command: 'unpin', number: 1, text: 'The gate is green.' })
    expect(await run('/pins')).toMatchObject({ pins: [{ number: 1, text: 'Never prune in June.' }] })
  })

  it.each(['/unpin', '/unpin 0', '/unpin two', '/unpin 9'])('%s is refused', async (line) => {
    const { run } = await startSession()
    await expect(run(line)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('nothing is pinned'),
    })
  })

  it('nothing, and too much, cannot be pinned', async () => {
    const { run } = await startSession()
    await expect(run('/pin')).rejects.toMatchObject({ code: 'invalid-request' })
    await expect(run(`/pin ${'word '.repeat(5_000)}`)).rejects.toMatchObject({ code: 'pin-too-large' })
  })
})

describe('/recall and /memory', () => {
  it('find what was said, also after it left the context', async () => {
    const { run, under, id } = await startSession()
    await under.say(id, 'The ladder stands in the greenhouse.', 'm1')
    await run('/reset')
    expect(await run('/recall ladder greenhouse')).toMatchObject({
      query: 'ladder greenhouse',
      found: [{ id: 'm1', role: 'user', text: expect.stringContaining('The ladder stands in the greenhouse.') }],
    })
    expect(await run('/recall m1')).toMatchObject({ found: [{ id: 'm1' }] })
    expect(await run('/recall zeppelin')).toMatchObject({ found: [] })
    await expect(run('/recall')).rejects.toMatchObject({ code: 'invalid-request' })
  })

  it('OPEN-10 /memory lists files and finds notes', async () => {
    const { run, memory } = await startSession()
    expect(await run('/memory')).toEqual({ command: 'memory', query: '', files: [], hits: [] })
    await memory.save('The gate is green.')
    expect(await run('/memory')).toMatchObject({ files: ['memory/2026-11-15.md'], hits: [] })
    expect(await run('/memory gate')).toMatchObject({ hits: [{ document: 'memory/2026-11-15.md' }] })
    expect(await run('/memory zeppelin')).toMatchObject({ hits: [] })
  })
})

describe('/help, and what is no command', () => {
  it('lists every command of the contract', async () => {
    const { run } = await startSession()
    expect(await run('/help')).toEqual({ command: 'help', commands: listCommands() })
    expect(listCommands().map(({ usage }) => usage)).toEqual([
      '/status',
      '/context list|detail|json',
      '/compact [instructions]',
      '/undo',
      '/new',
      '/reset',
      '/model [id]',
      '/preset [name]',
      '/pin TEXT',
      '/pins',
      '/unpin N',
      '/recall QUERY',
      '/memory [query]',
      '/help',
    ])
  })

  it.each([
    ['/statsu', 'There is no command /statsu. Did you mean /status?'],
    ['/qqqqqqqq', 'There is no command /qqqqqqqq. Type /help for the list.'],
  ])('%s is answered with help', async (line, message) => {
    const { run } = await startSession()
    await expect(run(line)).rejects.toMatchObject({ name: 'AgentError', code: 'invalid-request', message })
  })

  it('a session that is not there is told as such', async () => {
    const { under, run } = await startSession()
    await under.store.sessions.setDeleted((await under.store.sessions.list({})).items[0]?.id ?? '', Date.now())
    await expect(run('/status')).rejects.toMatchObject({ code: 'not-found' })
  })
})
