import { describe, expect, it } from 'vitest'
import { PRESETS } from '../policy/presets.ts'
import type { PresetName } from '../policy/presets.ts'
import { assistant, call, result, tool, user } from '../testing/build-conversation.ts'
import { driveSession } from '../testing/drive-session.ts'
import type { DrivenSession } from '../testing/drive-session.ts'
import type { Message } from '../transcript/message.ts'
import { createManifest, restoreManifest, storeManifest } from './manifest.ts'
import type { Manifest, StoredManifest } from './manifest.ts'
import { planNext } from './plan/plan.ts'

const summary = '<summary>The user asked for several things, and they were done.</summary>'

function start(preset: PresetName, windowTokens = 8_000): DrivenSession {
  return driveSession({
    policy: PRESETS[preset],
    windowTokens,
    ask: () => Promise.resolve({ text: summary, finish: 'stop' }),
  })
}

function say(session: DrivenSession, ...messages: readonly Message[]): void {
  for (const message of messages) session.append({ type: 'message', ...message })
}

function explain(session: DrivenSession, number: number): Manifest {
  const { numbers } = planNext({ ...session.context(), checkPoint: 'before-step', now: 0 })
  return createManifest({ number, at: number * 1_000, view: session.view(), sealed: session.seal(), numbers })
}

/** A session of many turns, with tools, prunes and compactions; the manifest of each request in it. */
async function drive(preset: PresetName): Promise<{ session: DrivenSession; manifests: readonly Manifest[] }> {
  const session = start(preset)
  session.append({ type: 'model-change', model: 'a/one' })
  const manifests: Manifest[] = []
  const request = async (): Promise<void> => {
    await session.maintain(manifests.length % 2 === 0 ? 'before-turn' : 'before-step')
    manifests.push(explain(session, manifests.length))
  }
  for (let turn = 0; turn < 40; turn += 1) {
    say(session, user(`QUESTION ${turn} ${'about the harbour '.repeat(60)}`))
    await request()
    const { anchor } = session.seal()
    session.append({
      type: 'message',
      ...assistant(`THOUGHT ${turn}`, call(`c${turn}`, 'read', { path: `PATH-${turn}` })),
      anchor,
    })
    say(session, tool(result(`c${turn}`, `OUTPUT ${turn} ${'lots of text '.repeat(100)}`)))
    await request()
    say(session, assistant(`ANSWER ${turn}`))
    await session.maintain('after-response')
    session.wait(600_000)
  }
  return { session, manifests }
}

function storeAll(manifests: readonly Manifest[]): readonly StoredManifest[] {
  return manifests.map((manifest, index) => storeManifest(manifest, manifests[index - 1] ?? null))
}

describe('a manifest', () => {
  it('says what went into the request, in which state, and how it was counted', () => {
    const session = start('longhaul')
    session.append({ type: 'model-change', model: 'a/one' })
    say(session, user('hi'))
    const sealed = session.seal()
    expect(explain(session, 3)).toEqual({
      number: 3,
      at: 3_000,
      model: 'a/one',
      environmentHash: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
      baseId: null,
      items: [{ key: 'e2', id: 'e2', kind: 'user', state: 'verbatim', tokens: session.view().items[0]?.tokens }],
      tokens: sealed.tokens,
      numbers: expect.objectContaining({ messages: 1, windowTokens: 8_000 }) as unknown,
      repairs: [],
      bytes: sealed.bytes,
      bytesHash: sealed.bytesHash,
    })
  })

  it.each(Object.keys(PRESETS) as PresetName[])('holds no content, stored or whole: %s', async (preset) => {
    const { manifests } = await drive(preset)
    const json = JSON.stringify([manifests, storeAll(manifests)])
    for (const word of [
      'QUESTION',
      'THOUGHT',
      'PATH',
      'OUTPUT',
      'ANSWER',
      'harbour',
      'lots of text',
      'asked for several',
    ]) {
      expect(json).not.toContain(word)
    }
  })
})

describe('stored against the one before', () => {
  it.each(Object.keys(PRESETS) as PresetName[])('comes back whole through a driven session: %s', async (preset) => {
    const { session, manifests } = await drive(preset)
    expect(session.state().head.cycle).toBeGreaterThan(0)
    let previous: Manifest | null = null
    for (const [index, stored] of storeAll(manifests).entries()) {
      const restored: Manifest | null = restoreManifest(JSON.parse(JSON.stringify(stored)) as StoredManifest, previous)
      expect(restored).toEqual(manifests[index])
      previous = restored
    }
  })

  it.each(Object.keys(PRESETS) as PresetName[])(
    'is full at the first, at every 64th and at each change of the base: %s',
    async (preset) => {
      const { manifests } = await drive(preset)
      let changes = 0
      for (const [index, { isFull, itemsAfter }] of storeAll(manifests).entries()) {
        const isMoved = index > 0 && manifests[index]?.baseId !== manifests[index - 1]?.baseId
        if (isMoved) changes += 1
        expect(isFull).toBe(index === 0 || index % 64 === 0 || isMoved)
        if (isFull) expect(itemsAfter).toEqual(manifests[index]?.items)
      }
      expect(changes).toBeGreaterThan(1)
    },
  )

  it('samePrefixItems counts what the prompt cache still holds', () => {
    const session = start('openclaw', 200_000)
    say(session, user('one'), assistant(call('a')), tool(result('a', 'x'.repeat(500))))
    const first = explain(session, 1)
    say(session, assistant('two'), user('three'))
    const second = explain(session, 2)
    expect(storeManifest(second, first)).toMatchObject({
      samePrefixItems: 3,
      isFull: false,
      itemsAfter: [{ id: 'e4' }, { id: 'e5' }],
    })
    expect(storeManifest(explain(session, 3), second)).toMatchObject({ samePrefixItems: 5, itemsAfter: [] })
    session.append({
      type: 'prune',
      reason: '',
      decisions: [{ entry: { id: 'e3', seq: 3 }, part: 0, form: 'cleared', placeholder: '-' }],
    })
    expect(storeManifest(explain(session, 3), second)).toMatchObject({ samePrefixItems: 2, isFull: false })
  })

  it('is full where the one before is not the one it follows, and never rests on a wrong one', () => {
    const session = start('openclaw', 200_000)
    say(session, user('one'))
    const [first, third, fourth] = [explain(session, 1), explain(session, 3), explain(session, 4)]
    const stored = storeManifest(third, first)
    expect(stored.isFull).toBe(true)
    expect(restoreManifest(stored, null)).toEqual(third)
    expect(restoreManifest(storeManifest(fourth, third), first)).toBeNull()
    expect(restoreManifest(storeManifest(fourth, third), null)).toBeNull()
  })
})
