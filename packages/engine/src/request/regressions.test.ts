import { describe, expect, it } from 'vitest'
import { PRESETS } from '../policy/presets.ts'
import { driveSession } from '../testing/drive-session.ts'
import type { DrivenSession } from '../testing/drive-session.ts'
import type { Part } from '../transcript/message.ts'
import { createProseDocument } from '../summary/render-document.ts'
import { foldEntries } from './fold/fold-log.ts'
import { createManifest, storeManifest } from './manifest.ts'
import { planShrinking } from './plan/plan-shrinking.ts'
import { planNext } from './plan/plan.ts'
import { sealRequest } from './seal/seal.ts'
import { measureView } from './view/measure-view.ts'
import { createView } from './view/view.ts'

const text = (content: string): Part => ({ type: 'text', text: content })
const say = (session: DrivenSession, role: 'user' | 'assistant', ...parts: Part[]) =>
  session.append({ type: 'message', role, parts })
const summary = () =>
  Promise.resolve({ text: '<summary>+ State: the work goes on well</summary>', finish: 'stop' as const })

describe('what once went wrong', () => {
  it('a step whose results are too large together was never seen by the model, which asked again', async () => {
    const session = driveSession({ policy: PRESETS.longhaul, windowTokens: 32_000, ask: summary })
    say(session, 'user', text('read all four'))
    const ids = ['a', 'b', 'c', 'd']
    say(
      session,
      'assistant',
      ...ids.map((id): Part => ({ type: 'tool-call', toolCallId: id, toolName: 'read', input: {} })),
    )
    for (const id of ids) {
      const output = `start of ${id} ${'lorem ipsum '.repeat(2_400)} end of ${id}`
      session.append({
        type: 'message',
        role: 'tool',
        parts: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output }],
      })
    }
    await session.maintain('before-step')
    const sent = JSON.stringify(session.seal().messages)
    for (const id of ids) expect(sent).toContain(`start of ${id}`)
    for (const id of ids) expect(sent).toContain(`end of ${id}`)
  })

  it('reasoning that is no longer sent was counted, and a compaction followed', () => {
    const session = driveSession({ policy: PRESETS.longhaul, windowTokens: 200_000 })
    say(session, 'user', text('think'))
    session.append({
      type: 'message',
      role: 'assistant',
      parts: [{ type: 'reasoning', text: 'hm '.repeat(20_000) }, text('done')],
      anchor: { model: '', itemCount: 1, chainHash: 'of another prefix' },
    })
    say(session, 'user', text('thanks'))
    const { policy } = session.context()
    const { reading } = measureView(session.view(), { ...session.context(), estimator: policy.estimator })
    expect(reading.tokens).toBeLessThan(200)
    expect(JSON.stringify(session.seal().messages)).not.toContain('hm hm')
  })

  it('a part kept pointing at reasoning that was dropped', () => {
    const session = driveSession({ policy: PRESETS.longhaul, windowTokens: 200_000 })
    say(session, 'user', text('go'))
    session.append({
      type: 'message',
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'hm', providerOptions: { openai: { itemId: 'rs_1' } } },
        { type: 'text', text: 'ok', providerOptions: { openai: { itemId: 'msg_1', phase: 'final' } } },
      ],
      anchor: { model: '', itemCount: 1, chainHash: 'of another prefix' },
    })
    say(session, 'user', text('on'))
    const sent = JSON.stringify(session.seal().messages)
    expect(sent).not.toContain('msg_1')
    expect(sent).toContain('"phase":"final"')
  })

  it('reasoning of one model was sent to another', () => {
    const session = driveSession({ policy: PRESETS.longhaul, windowTokens: 200_000 })
    session.append({ type: 'model-change', model: 'a/one' })
    say(session, 'user', text('go'))
    const { anchor } = session.seal()
    const parts: Part[] = [{ type: 'reasoning', text: 'signed thoughts' }, text('ok')]
    session.append({ type: 'message', role: 'assistant', parts, anchor, model: 'a/one' })
    say(session, 'user', text('on'))
    expect(JSON.stringify(session.seal().messages)).toContain('signed thoughts')
    session.append({ type: 'model-change', model: 'b/two' })
    expect(JSON.stringify(session.seal().messages)).not.toContain('signed thoughts')
  })

  it('a compaction planned on another base was taken and hid what was said since', () => {
    const move = { fromSeq: 2, firstKept: null, carried: [], tokensBefore: 9, tokensAfter: 1 }
    const document = { version: 1, sections: [] }
    const late = {
      type: 'compaction',
      ...move,
      previous: null,
      document,
      reason: 'prepared',
      strategy: 'longhaul',
      model: null,
    }
    const state = foldEntries([
      { type: 'message', seq: 1, id: 'm1', at: 0, role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { type: 'reset', seq: 2, id: 'r', at: 0 },
      { ...late, seq: 3, id: 'late', at: 0 },
    ])
    expect(state.head.base.kind).toBe('reset')
  })

  it('a summary with damaged budgets threw in the view', () => {
    const document = {
      version: 1,
      sections: [{ title: '', items: [{ id: 's', text: 'kept', sources: [], status: 'open' }] }],
      budgets: null,
    }
    const move = { fromSeq: 2, firstKept: null, carried: [], previous: null, tokensBefore: 9, tokensAfter: 1 }
    const state = foldEntries([
      { type: 'message', seq: 1, id: 'm1', at: 0, role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      {
        type: 'compaction',
        seq: 2,
        id: 'c',
        at: 0,
        ...move,
        document,
        reason: 'manual',
        strategy: 'longhaul',
        model: null,
      },
    ])
    expect(JSON.stringify(createView(state, PRESETS.longhaul).items)).toContain('kept')
  })

  it('with compaction off, a request far over the limit was said to fit', () => {
    const policy = { ...PRESETS.openclaw, compaction: { ...PRESETS.openclaw.compaction, enabled: false } }
    const session = driveSession({ policy, windowTokens: 8_000 })
    for (let turn = 0; turn < 40; turn += 1) {
      say(session, 'user', text(`question ${turn} ${'word '.repeat(80)}`))
      say(session, 'assistant', text(`answer ${turn} ${'word '.repeat(80)}`))
    }
    const plan = planNext({ ...session.context(), checkPoint: 'before-turn', now: 0 })
    expect(plan).toMatchObject({ action: 'proceed', reason: 'over-limit' })
  })

  it('an old request was called the latest one', async () => {
    const session = driveSession({ policy: PRESETS.longhaul, windowTokens: 8_000, ask: summary })
    say(session, 'user', text('Delete the staging database now.'))
    say(session, 'assistant', text(`It is deleted. ${'word '.repeat(2_500)}`))
    say(session, 'user', text('What is the version of Node?'))
    say(session, 'assistant', text(`It is 24. ${'word '.repeat(2_500)}`))
    await session.compact()
    expect(session.state().head.compactionCount).toBe(1)
    expect(JSON.stringify(session.seal().messages)).not.toContain('Latest request')
  })
})

describe('what an interruption leaves behind', () => {
  it('a call of an aborted answer goes out as a call whose outcome is unknown, and holds nothing up', () => {
    const session = driveSession({ policy: PRESETS.longhaul, windowTokens: 200_000 })
    say(session, 'user', text('delete it'))
    const call: Part = { type: 'tool-call', toolCallId: 'a', toolName: 'delete', input: {} }
    session.append({ type: 'message', role: 'assistant', parts: [call], finish: 'aborted' })
    session.append({ type: 'interrupted', toolCallIds: ['a'] })
    say(session, 'user', text('what happened?'))
    const { messages } = session.seal()
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect(JSON.stringify(messages[2])).toContain('its outcome is unknown')
  })
})

describe('what the cache report did not see', () => {
  it('a changed system prompt breaks every cache', () => {
    const session = driveSession({ policy: PRESETS.longhaul, windowTokens: 200_000 })
    say(session, 'user', text('hi'))
    const view = session.view()
    const context = { ...session.context(), estimator: PRESETS.longhaul.estimator }
    const manifest = (number: number, system: string) => {
      const environment = { system, files: [], tools: [] }
      const sealed = sealRequest({ view, context: { ...context, environment }, maxTokens: null, maxBytes: null })
      return createManifest({ number, at: 0, view, sealed, numbers: null })
    }
    const first = manifest(1, 'You help.')
    expect(storeManifest(manifest(2, 'You help.'), first).samePrefixItems).toBe(1)
    expect(storeManifest(manifest(2, 'You help more.'), first).samePrefixItems).toBe(0)
  })

  it('results that a compaction kept in front of the first user message could never be pruned', async () => {
    const session = driveSession({ policy: PRESETS.spec008, windowTokens: 200_000, ask: summary })
    say(session, 'user', text('read them all'))
    for (let step = 0; step < 30; step += 1) {
      say(session, 'assistant', {
        type: 'tool-call',
        toolCallId: `c${step}`,
        toolName: 'read',
        input: { path: `${step}` },
      })
      const output = `${step} ${'word '.repeat(1_200)}`
      const result: Part = { type: 'tool-result', toolCallId: `c${step}`, toolName: 'read', output }
      session.append({ type: 'message', role: 'tool', parts: [result] })
    }
    const kept = { ...PRESETS.spec008.compaction, keepTurns: 12 }
    const move = { ...session.context(), policy: { ...PRESETS.spec008, compaction: kept } }
    const plan = planShrinking(move, { reason: 'manual', tokensBefore: 60_000 })
    if (plan.action !== 'compact') throw new Error('nothing to compact')
    const document = createProseDocument('thirty files are being read', [])
    const { carried: _carried, ...rest } = plan.move
    const numbers = { tokensBefore: 60_000, tokensAfter: 30_000 }
    session.append({
      type: 'compaction',
      ...rest,
      carried: [],
      ...numbers,
      document,
      reason: 'manual',
      strategy: 'summarize',
      model: null,
    })
    await session.maintain('before-step')
    expect(session.view().items.some(({ state }) => state === 'soft-trimmed')).toBe(true)
  })
})
