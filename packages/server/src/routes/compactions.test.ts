import { compactionSchema, listOf } from '@longhaul/protocol'
import type { Compaction } from '@longhaul/protocol'
import type { Script } from '@longhaul/models/testing'
import { describe, expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'
import type { AppUnderTest } from '../testing/start-app.ts'

const TALK = 'The soil is dry, the tank is half full and the pump runs at seven. '.repeat(20)

it('SPEC-07 lists compactions, newest first, with summary, citations, score and what was taken back', async () => {
  const script = ({ tools = [] }: { readonly tools?: readonly unknown[] | undefined }) =>
    tools.length === 0 ? '<summary>\n+ Goal: water the beds\n</summary>' : 'Noted.'
  const app = await startApp({ script })
  const { id } = await app.createSession({ title: 'Beds', policy: { compaction: { memoryFlush: { enabled: false } } } })
  for (let turn = 1; turn <= 40; turn += 1) await app.say(id, `Message ${turn}. ${TALK}`, `m${turn}`)
  await app.runtime.agent.request(id, 'compact', {})
  await app.runtime.agent.request(id, 'undo', {})
  await app.runtime.agent.request(id, 'compact', {})
  const response = await app.request('GET', `/api/sessions/${id}/compactions`)
  const { items } = listOf(compactionSchema).parse(await response.json())
  expect(items.slice(0, 2)).toMatchObject([
    { reason: 'manual', undone: false, model: 'scripted/scripted' },
    { reason: 'manual', undone: true },
  ])
  const [newest] = items
  expect(newest?.at).toBeGreaterThanOrEqual(items[1]?.at ?? Infinity)
  expect(newest?.summary).toContain('water the beds')
  expect(newest?.items).toContainEqual(expect.objectContaining({ section: 'Goal', text: 'water the beds' }))
  expect(newest?.coveredIds).toContain('m1')
  expect(newest?.tokensAfter).toBeLessThan(newest?.tokensBefore ?? 0)
  expect((await app.request('GET', '/api/sessions/nobody/compactions')).status).toBe(404)
})

describe('who wrote a summary', () => {
  const SUMMARY = 'They water the beds at seven. The soil is dry, the tank is half full, and the pump runs. '.repeat(3)
  const works: Script = ({ tools = [] }) => (tools.length === 0 ? SUMMARY : 'Noted.')
  const fails: Script = ({ tools = [] }) => (tools.length === 0 ? { fails: new Error('down') } : 'Noted.')

  async function compact(script: Script, preset: string, chars: number, maxMessages = 50) {
    const app = await startApp({ script })
    const policy = { compaction: { memoryFlush: { enabled: false }, retries: 0 } }
    const { id } = await app.createSession({ title: 'Beds', preset, policy })
    const words = TALK.repeat(10).slice(0, chars)
    for (let turn = 1; turn <= 12; turn += 1) await app.say(id, `Message ${turn}. ${words}`, `m${turn}`)
    await app.request('PATCH', `/api/sessions/${id}`, { policy: { compaction: { maxMessages } } })
    const made = compactionSchema.parse(await (await app.request('POST', `/api/sessions/${id}/compact`)).json())
    const response = await app.request('GET', `/api/sessions/${id}/compactions`)
    return { made, listed: listOf(compactionSchema).parse(await response.json()).items[0] }
  }

  it('ONE-19 a model: its id and the strategy, and no fallback', async () => {
    const { made, listed } = await compact(works, 'oneclaw', 7_500)
    expect(made).toMatchObject({ strategy: 'summarize', model: 'scripted/scripted', fallback: null })
    expect(listed).toEqual(made)
  })

  it('ONE-19 code, where no model could: the fallback that was used, and no model', async () => {
    const { made, listed } = await compact(fails, 'longhaul', 6_000)
    expect(made).toMatchObject({ strategy: 'extractive', model: null, fallback: 'extractive' })
    expect(listed).toEqual(made)
  })

  it.each([
    ['oneclaw', 'trim-oldest', 7_500, 50],
    ['micro', 'trim-count', 1_500, 10],
  ])('ONE-19 nobody, where %s leaves messages out instead: %s', async (preset, fallback, chars, maxMessages) => {
    const { made } = await compact(fails, preset, chars, maxMessages)
    expect(made).toMatchObject({ strategy: fallback, model: null, fallback, cost: null })
  })
})

const LONG = 'The pump on bed seven draws 4.2 amperes and stops after nine minutes. '.repeat(40)

async function fill(app: AppUnderTest): Promise<string> {
  const { id } = await app.createSession({ title: 'Pumps' })
  for (let turn = 0; turn < 4; turn += 1) await app.say(id, `Report ${turn}: ${LONG}`)
  return id
}

async function expectError(response: Response, status: number, code: string): Promise<void> {
  expect({ status: response.status, body: await response.json() }).toMatchObject({ status, body: { error: { code } } })
}

const SMALL = { source: '{ agents: { defaults: { compaction: { keepRecentTokens: 500 } } } }', script: () => LONG }

describe('POST /api/sessions/:id/compact and undo', () => {
  it('OPEN-14 answers with the record; the same key again with the same one; undo takes it back', async () => {
    const app = await startApp(SMALL)
    const id = await fill(app)
    const key = { 'idempotency-key': 'compact-1' }
    const ask = (): Promise<Response> =>
      app.request('POST', `/api/sessions/${id}/compact`, { instructions: 'keep the amperes' }, key)
    const response = await ask()
    const compaction = (await response.json()) as Compaction
    expect(response.status).toBe(200)
    expect(compaction).toMatchObject({ reason: 'manual', undone: false, summary: expect.any(String) })
    expect(compaction.tokensAfter).toBeLessThan(compaction.tokensBefore)
    expect(compaction.coveredIds.length).toBeGreaterThan(0)
    expect(((await (await ask()).json()) as Compaction).id).toBe(compaction.id)
    const undo = (undoKey: string): Promise<Response> =>
      app.request('POST', `/api/sessions/${id}/undo`, undefined, { 'idempotency-key': undoKey })
    for (const undone of [await undo('undo-1'), await undo('undo-1')])
      expect(await undone.json()).toMatchObject({ undone: [compaction.id] })
    await expectError(await undo('compact-1'), 409, 'id-conflict')
    await expectError(await app.request('POST', `/api/sessions/${id}/undo`), 409, 'nothing-to-undo')
  })

  it('409 where there is nothing to compact or undo', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    await expectError(await app.request('POST', `/api/sessions/${id}/compact`), 409, 'nothing-to-compact')
    await expectError(await app.request('POST', `/api/sessions/${id}/undo`), 409, 'nothing-to-undo')
    await expectError(await app.request('POST', '/api/sessions/none/compact', {}), 404, 'not-found')
  })
})
