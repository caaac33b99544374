import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import type { WireRequest, WireServer } from '@longhaul/models/testing'
import { createSqliteStore } from '@longhaul/store'
import type { InboxKind } from '@longhaul/store/port'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { describeWithHost } from '../../../test/hosts/describe-with-host.ts'
import { answerHost, kindOf } from '../../../test/hosts/host-brain.ts'
import { readStored } from '../../../test/hosts/read-stored.ts'
import { PLUGIN, installOpencode, startOpencode } from './testing/start-opencode.ts'
import type { OpencodeSetup, RunningOpencode } from './testing/start-opencode.ts'

const PROVIDER_WINDOW = 32_000
const TIMEOUT_MS = 120_000
/** opencode's own instructions for a summary begin so. */
const OWN_SUMMARY = 'You are a context summarization agent'
const note = (turn: number, times = 400): string =>
  `Note ${turn}: ${'the soil is dry and wants some water today. '.repeat(times)}`

let folder: string
let store: string
let server: WireServer
let host: RunningOpencode | null = null

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-opencode-'))
  store = join(folder, 'sessions.db')
  server = await startWireServer({ otherwise: answerHost, windowTokens: PROVIDER_WINDOW })
})
afterEach(async () => {
  await host?.kill()
  host = null
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function startOn(program: string, setup: Partial<OpencodeSetup> = {}): Promise<RunningOpencode> {
  return (host = await startOpencode(program, {
    folder,
    workspace: join(folder, 'workspace'),
    baseURL: server.baseURL,
    model: 'fake-model',
    windowTokens: PROVIDER_WINDOW,
    maxOutputTokens: 2_000,
    sessionId: 'talk',
    store,
    ...setup,
  }))
}

async function sayAll(running: RunningOpencode, turns: number, times?: number) {
  const errors: string[] = []
  for (let turn = 1; turn <= turns; turn += 1) errors.push(...(await running.say(note(turn, times))).errors)
  return errors
}

function refusals(): number {
  return server.requests.filter(({ refused }) => refused === 'too-long').length
}

function isOwnSummary({ messages }: WireRequest): boolean {
  return messages[0]?.text.startsWith(OWN_SUMMARY) === true
}

function lastTurn(): WireRequest {
  const found = server.requests.findLast((request) => request.refused === null && kindOf(request) === 'turn')
  if (found === undefined) throw new Error('No turn was answered.')
  return found
}

async function withStore<T>(use: (store: Awaited<ReturnType<typeof createSqliteStore>>) => Promise<T>): Promise<T> {
  const opened = await createSqliteStore({ file: store })
  try {
    return await use(opened)
  } finally {
    await opened.close()
  }
}

const childrenOf = async (running: RunningOpencode) =>
  (await running.call('GET', `/session/${running.sessionId}/children`)) as readonly unknown[]

describeWithHost('@longhaul/opencode in the real host', installOpencode, (program) => {
  vi.setConfig({ testTimeout: TIMEOUT_MS })
  const start = (setup?: Partial<OpencodeSetup>) => startOn(program, setup)

  it('20 with automatic compaction off a refusal is told once, and the next message fits', async () => {
    const running = await start({ windowTokens: 200_000 })
    const errors = await sayAll(running, 6)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain('maximum context length')
    expect(refusals()).toBe(1)
    expect(server.requests.some(isOwnSummary)).toBe(false)
  })

  it('20 with automatic compaction on opencode goes on by itself after a refusal, and there is no second one', async () => {
    const running = await start({ windowTokens: 200_000, config: { compaction: { auto: true } } })
    expect(await sayAll(running, 7)).toEqual([])
    expect(refusals()).toBe(1)
    const own = server.requests.filter(isOwnSummary)
    expect(own).toHaveLength(1)
    expect(own[0]?.refused).toBe(null)
  })

  it('20 with automatic compaction on Longhaul leaves opencode no reason to compact', async () => {
    const running = await start({ config: { compaction: { auto: true } } })
    expect(await sayAll(running, 7)).toEqual([])
    expect(refusals()).toBe(0)
    expect(server.requests.some((request) => kindOf(request) === 'summary')).toBe(true)
    expect(server.requests.some(isOwnSummary)).toBe(false)
  })

  it('20 a compaction that the user asks for gets Longhaul’s summary, and the conversation goes on from it', async () => {
    const running = await start()
    expect(await sayAll(running, 6)).toEqual([])
    await running.call('POST', `/session/${running.sessionId}/summarize`, {
      providerID: 'fake',
      modelID: 'fake-model',
    })
    const own = server.requests.find(isOwnSummary)
    expect(own?.refused).toBe(null)
    expect(own?.text).toContain('[Summary of the conversation so far.')
    expect((await running.say('And now?')).errors).toEqual([])
    expect(lastTurn().text).toContain('And now?')
    expect(server.requests.some(({ refused }) => refused !== null)).toBe(false)
    await vi.waitFor(async () => expect(await childrenOf(running)).toEqual([]), { timeout: 20_000 })
  })

  it('20 an undo from the web app brings the messages back at the next call; each request has its bill', async () => {
    const running = await start()
    const short = 150
    expect(await sayAll(running, 3, short)).toEqual([])
    const [session] = await withStore(async ({ sessions }) => (await sessions.list({})).items)
    const sessionId = session?.id ?? ''
    const ask = (id: string, kind: InboxKind) =>
      withStore(({ inbox }) => inbox.put({ sessionId, id, at: Date.now(), kind, payload: {} }))
    await ask('compact-1', 'compact')
    await running.say('Compact now.')
    await vi.waitFor(
      async () => {
        const record = await withStore(({ sessions }) => sessions.get(sessionId))
        expect(record?.head.compactionCount).toBe(1)
      },
      { timeout: 20_000 },
    )
    await running.say('Is it shorter?')
    expect(lastTurn().text).not.toContain(note(2, short))
    expect(lastTurn().text).toContain('[Summary of the conversation so far.')
    await ask('undo-1', 'undo')
    await running.say('Is it back?')
    for (const turn of [1, 2, 3]) expect(lastTurn().text).toContain(note(turn, short))
    expect(lastTurn().text).not.toContain('[Summary of the conversation so far.')
    const turns = server.requests.filter((request) => kindOf(request) === 'turn')
    const readBills = async () => {
      const { items } = await withStore(({ requests }) => requests.list(sessionId, { limit: 50 }))
      return items.map(({ outcome }) => (outcome?.['usage'] as { readonly input?: number } | undefined)?.input)
    }
    const billed = turns.map(({ inputTokens }) => inputTokens).toReversed()
    await vi.waitFor(async () => expect(await readBills()).toEqual(billed), { timeout: 20_000 })
  })

  it('20 the configuration in README works, with its store beside the data of opencode', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(readme) ?? []
    const config = JSON.parse(shown.replace('@longhaul/opencode', PLUGIN)) as object
    const running = await start({ store: null, config })
    expect((await running.say('The lamp is called Tarn.')).errors).toEqual([])
    const beside = join(folder, 'home/data/opencode/longhaul.db')
    expect((await readStored(beside, 'opencode')).said).toEqual(['The lamp is called Tarn.'])
  })

  it('20 with a broken store the messages are sent as they are, and one warning is given', async () => {
    await writeFile(store, 'This is no database. '.repeat(20))
    const running = await start()
    for (const turn of [1, 2, 3]) expect((await running.say(note(turn))).errors).toEqual([])
    for (const turn of [1, 2, 3]) expect(lastTurn().text).toContain(note(turn))
    const warnings = running.printed().match(/Longhaul: [^\n]*is not a database/g)
    expect(warnings).toHaveLength(1)
  })
})
