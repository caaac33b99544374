import { createView, PRESETS, planUndo, UNCALIBRATED } from '@longhaul/engine/advanced'
import type { SessionContext } from '@longhaul/engine/advanced'
import { createInMemoryStore, createOwner } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { openSessionLog } from './session-log.ts'
import type { EntryDraft, SessionLog } from './session-log.ts'

const KEPT = 6

async function open(): Promise<{ readonly log: SessionLog; readonly reopen: () => Promise<SessionLog> }> {
  const store = createInMemoryStore()
  await store.sessions.create({ id: 's', createdAt: 1 })
  const acquired = await store.leases.acquire('s', createOwner())
  if (!acquired.ok) throw new Error('nobody else is there')
  let count = 0
  const reopen = async (): Promise<SessionLog> => {
    const record = await store.sessions.get('s')
    if (record === null) throw new Error('it is there')
    const { lease } = acquired
    return openSessionLog({
      store,
      sessionId: 's',
      lease,
      head: record.head,
      now: () => 1,
      createId: () => `e${(count += 1)}`,
    })
  }
  return { log: await reopen(), reopen }
}

function say(role: 'user' | 'assistant', text: string): EntryDraft {
  return { type: 'message', role, parts: [{ type: 'text', text }] }
}

/** Covers all but the newest messages, and carries the first of the session along. */
async function compact(log: SessionLog): Promise<void> {
  const { head, window, carried } = log.state()
  const items = [...carried, ...window.backing.slice(window.start, window.end)]
  const first = items[0]?.entry
  const { id, seq, at } = items.at(-KEPT)?.entry ?? { id: '', seq: 0, at: 0 }
  await log.append([
    {
      type: 'compaction',
      fromSeq: seq,
      firstKept: { id, seq, at },
      carried: first === undefined ? [] : [{ id: first.id, seq: first.seq }],
      previous: head.base.entry,
      tokensBefore: 2,
      tokensAfter: 1,
      document: { version: 1, sections: [] },
      reason: 'threshold',
      strategy: 'summarize',
      model: null,
    },
  ])
}

function contextOf(log: SessionLog): SessionContext {
  const environment = { system: null, files: [], tools: [] }
  return {
    state: log.state(),
    policy: PRESETS.longhaul,
    limits: null,
    environment,
    model: null,
    calibration: UNCALIBRATED,
  }
}

const keysOf = (log: SessionLog): readonly string[] =>
  createView(log.state(), PRESETS.longhaul).items.map(({ key }) => key)

describe('a session that stays open', () => {
  it('holds in memory what its next request needs, however much was said in it', async () => {
    const { log, reopen } = await open()
    for (let round = 1; round <= 200; round += 1) {
      for (let turn = 1; turn <= 5; turn += 1) await log.append([say('user', 'Question?'), say('assistant', 'Answer.')])
      await compact(log)
      expect(log.state().window.backing).toHaveLength(KEPT + 1)
      expect(log.state().earlier).toEqual([])
    }
    expect(log.state().head.lastSeq).toBe(200 * 11)
    expect(keysOf(log)).toEqual(keysOf(await reopen()))
    await log.append([{ type: 'reset' }])
    expect(log.state().window.backing).toEqual([])
  })

  it('reads again what an undo brings back', async () => {
    const { log } = await open()
    for (let turn = 1; turn <= 10; turn += 1) await log.append([say('user', `Question ${turn}`)])
    const before = keysOf(log)
    await compact(log)
    expect(keysOf(log)).not.toEqual(before)
    const plan = planUndo(contextOf(log))
    expect(plan.action).toBe('load')
    if (plan.action === 'load') await log.loadFrom(plan.missing)
    const again = planUndo(contextOf(log))
    if (again.action !== 'undo') throw new Error(again.action)
    await log.append(again.undone.map((compaction) => ({ type: 'compaction-undone', compaction }) as const))
    expect(keysOf(log)).toEqual(before)
  })
})
