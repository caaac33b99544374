import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHostSession } from '@longhaul/store/host'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEngine, identify } from './create-engine.ts'
import type { AssembleCall, OpenClawMessage } from './openclaw-api.ts'

const WINDOW = 16_000
const SUMMARY = '<summary>\n+ Goal: plant every bed before the frost comes\n</summary>'
const talk = 'The soil is dry and wants some water. '.repeat(40)

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-openclaw-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Calls an engine as OpenClaw 2026.9.6 does in one turn after another, with the same session. */
function createHost(store: string, sessionId = 'conversation', sessionKey = 'agent:main:main') {
  const warnings: string[] = []
  const asked: string[] = []
  let transcript: readonly OpenClawMessage[] = []
  const config = { store }
  const llm = {
    complete: async ({ messages }: { messages: readonly { content: string }[] }) => {
      asked.push(messages[0]?.content ?? '')
      return { text: SUMMARY, stopReason: 'stop' }
    },
  }
  const build = () => createEngine({ config, llm, warn: (text) => void warnings.push(text) })
  const describeCall = (tokenBudget: number, promptTokenBudget = WINDOW) => ({
    sessionId,
    sessionKey,
    tokenBudget,
    runtimeSettings: { model: { provider: 'fake', resolved: 'model' }, limits: { promptTokenBudget } },
  })
  const user = (content: string): OpenClawMessage => ({ role: 'user', content, timestamp: transcript.length })

  /** The list that the model is sent for the first request of a turn. */
  async function turn(prompt: string, appendedTokens = 0): Promise<readonly OpenClawMessage[]> {
    const engine = build()
    const assemble = async (call: Partial<AssembleCall> & { messages: readonly OpenClawMessage[] }) =>
      (await engine.assemble({ ...describeCall(8_000, 8_000), prompt, ...call })).messages
    await engine.bootstrap({ sessionId, sessionKey, runtimeContext: { llm, tokenBudget: WINDOW } })
    const first = await assemble({ messages: structuredClone(transcript) })
    const budget = WINDOW - Math.ceil(prompt.length / 4) - appendedTokens
    const sent = await assemble({ messages: first, ...describeCall(budget) })
    const said = user(prompt)
    const answer: OpenClawMessage = {
      role: 'assistant',
      content: [{ type: 'text', text: 'Noted.' }],
      usage: { input: 500 + JSON.stringify([...sent, said]).length / 4, output: 5, cacheRead: 0, cacheWrite: 0 },
      timestamp: transcript.length,
    }
    transcript = [...transcript, said, answer]
    const committed = { sessionId, sessionKey, messages: structuredClone([said, answer]) }
    expect(await engine.commitTurn(committed)).toEqual({ status: 'committed' })
    return [...sent, said]
  }

  const session = () => openHostSession(identify({ sessionId, sessionKey }, config))
  return {
    warnings,
    asked,
    turn,
    session,
    build,
    transcript: () => transcript,
    types: () => session().control((controls) => controls.entries().map(({ type }) => type)),
  }
}

describe('the context engine', () => {
  it('keeps nothing of an incognito conversation but in memory', async () => {
    const folder = await createFolder()
    const open = createHost(join(folder, 'sessions.db'), 'open')
    const hidden = createHost(join(folder, 'hidden.db'), 'hidden', 'agent:main:dashboard:incognito-1')
    for (const prompt of ['My plan is a secret.', 'What is my plan?']) {
      await open.turn(prompt)
      await hidden.turn(prompt)
    }
    expect(await readdir(folder)).toContain('sessions.db')
    expect((await readdir(folder)).filter((name) => name.startsWith('hidden'))).toEqual([])
    expect((await hidden.types()).filter((type) => type === 'message')).toHaveLength(4)
    expect([...open.warnings, ...hidden.warnings]).toEqual([])
  })

  it('declares what OpenClaw requires, or else replaces silently', () => {
    expect(createHost('').build().info).toMatchObject({
      id: 'longhaul',
      ownsCompaction: true,
      transcriptSemantics: {
        currentTurnFence: 'before-current-turn-entry-v1',
        turnAdvancementIdempotency: 'atomic-idempotent-v1',
      },
    })
  })

  it('gives the history as it is while it fits, however often it is asked, and stores every message once', async () => {
    const host = createHost(join(await createFolder(), 'sessions.db'))
    for (const text of ['One', 'Two', 'Three']) {
      const before = host.transcript()
      expect((await host.turn(text)).slice(0, -1)).toEqual(before)
    }
    expect((await host.types()).filter((type) => type === 'message')).toHaveLength(6)
    expect(await host.types()).not.toContain('branch')
    expect(host.warnings).toEqual([])
  })

  it('puts a summary in the place of old turns, which can be found again', async () => {
    const host = createHost(join(await createFolder(), 'sessions.db'))
    let sent: readonly OpenClawMessage[] = []
    for (let count = 1; count <= 40; count += 1) sent = await host.turn(`Bed ${count}: ${talk}`)
    expect(sent.length).toBeLessThan(60)
    expect(JSON.stringify(sent[0])).toContain('plant every bed')
    expect(Number(sent[0]?.timestamp)).toBeGreaterThan(Date.now() - 60_000)
    expect(host.asked.length).toBeGreaterThan(0)
    expect(await host.types()).not.toContain('branch')
    expect(await host.session().recall('Bed 1')).toContain('Bed 1')
  })

  it('leaves room for what OpenClaw appends during a turn', async () => {
    const host = createHost(join(await createFolder(), 'sessions.db'))
    for (let count = 1; count <= 24; count += 1) await host.turn(`Bed ${count}: ${talk}`)
    const { length } = await host.turn('Short.')
    expect((await host.turn('And a large file.', 8_000)).length).toBeLessThan(length)
  })

  it('keeps conversations apart', async () => {
    const store = join(await createFolder(), 'sessions.db')
    const [parent, child] = [createHost(store, 'parent'), createHost(store, 'child')]
    await parent.turn('The gate is called Heron.')
    await child.turn('Something else.')
    expect(parent.session().id).not.toBe(child.session().id)
    expect(await child.session().recall('Heron')).not.toContain('Heron')
  })

  it('a turn that was committed by an engine that has gone is found in the history', async () => {
    const host = createHost(join(await createFolder(), 'sessions.db'))
    await host.turn('One')
    const messages = structuredClone(host.transcript())
    expect(await host.build().commitTurn({ sessionId: 'conversation', messages })).toEqual({ status: 'committed' })
    await host.turn('Two')
    expect((await host.types()).filter((type) => type === 'message')).toHaveLength(4)
  })
})

describe('a compaction that OpenClaw wants', () => {
  const call = { sessionId: 'conversation', tokenBudget: WINDOW }

  async function fill() {
    const host = createHost(join(await createFolder(), 'sessions.db'))
    for (let count = 1; count <= 16; count += 1) await host.turn(`Bed ${count}: ${talk}`)
    return host
  }

  it('because a person asked: with that person’s instructions', async () => {
    const host = await fill()
    const answer = await host.build().compact({ ...call, customInstructions: 'Keep the beds.' })
    expect(answer).toMatchObject({ ok: true, compacted: true })
    expect(answer.result?.tokensAfter).toBeLessThan(answer.result?.tokensBefore ?? 0)
    expect(host.asked.join('\n')).toContain('Keep the beds.')
  })

  it('and that is undone: the next list is the history again', async () => {
    const host = await fill()
    await host.build().compact(call)
    expect((await host.turn('One more.')).length).toBeLessThan(host.transcript().length - 1)
    await host.session().control((controls) => controls.undo())
    const before = host.transcript()
    expect((await host.turn('And now?')).slice(0, -1)).toEqual(before)
  })

  it('because the provider refused: the next list is smaller', async () => {
    const host = await fill()
    const { length } = await host.turn('Before.')
    const answer = await host.build().compact({ ...call, runtimeContext: { trigger: 'overflow' } })
    expect(answer).toMatchObject({ ok: true, compacted: true })
    expect((await host.turn('After.')).length).toBeLessThan(length)
  })

  it('says why there is nothing to compact', async () => {
    const host = createHost(join(await createFolder(), 'sessions.db'))
    await host.turn('One')
    const answer = await host.build().compact(call)
    expect(answer).toEqual({ ok: true, compacted: false, reason: expect.stringMatching(/always kept/) as string })
  })

  it('ends when OpenClaw gives it up', async () => {
    const host = await fill()
    await expect(host.build().compact({ ...call, abortSignal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  })
})

describe('a store that is broken', () => {
  it('changes nothing for OpenClaw, and is told once', async () => {
    const store = join(await createFolder(), 'sessions.db')
    await writeFile(store, 'This is no database. '.repeat(1_000))
    const host = createHost(store)
    for (let count = 1; count <= 3; count += 1) {
      const before = host.transcript()
      expect((await host.turn(`Bed ${count}`)).slice(0, -1)).toEqual(before)
    }
    expect(host.warnings).toHaveLength(1)
    expect(host.warnings[0]).toContain('not a database')
    const answer = await host.build().compact({ sessionId: 'conversation' })
    expect(answer).toMatchObject({ ok: false, compacted: false })
    expect(host.warnings.at(-1)).toContain('OpenClaw compacts by itself')
  })
})
