import assert from 'node:assert/strict'
import type { JsonObject } from '@longhaul/engine/advanced'
import { findPreview, toStorableText } from '../../records/describe-session.ts'
import { START_AT, assistant, numberLines, settings, toolCall, toolResult, user } from '../build-entries.ts'
import type { Line } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'
import { expectSameBytes } from '../expectations.ts'
import { startSession } from '../session-writer.ts'

/** What has broken somebody's storage before. */
const AWKWARD_TEXTS: Readonly<Record<string, string>> = {
  'nothing at all': '',
  'NUL and other control characters': 'a\u0000b\u0001\u001B[31m\u007F\u0085',
  'half characters': '\ud800 then \udfff, \udc00\ud800',
  'emoji made of several characters': '👩🏽‍🚀 🏳️‍🌈 🇪🇺 ☺️',
  'composed and decomposed accents': 'é e\u0301 Å A\u030A ﬁ',
  'text from right to left': 'שלום \u202Eعكس\u202C مرحبا',
  'scripts without spaces': '東京タワーに行きました。ประเทศไทย',
  'line ends of every kind': 'a\nb\r\nc\rd\u2028e\u2029f',
  'noncharacters and the private use area': '\uFFFE\uFFFF\uE000\uFEFF',
  'quotes, escapes and SQL': `'"\\\\n \`%_?$1 :name @p'); DROP TABLE entries; --`,
  'JSON in text': '{"type":"message","__proto__":{"x":1}}\\u0000',
}

/** Keys in an order and of names that objects do not keep by themselves. */
const AWKWARD_OBJECT = JSON.parse(
  '{"zebra":1,"apple":2,"__proto__":{"polluted":true},"constructor":null,"10":"ten","2":"two","":"no name","\\u0000":"nul","\\ud800":"half","deep":[[[{"b":1,"a":[]}]]],"numbers":[0.1,1e21,1e-7,9007199254740991,-1.5]}',
) as JsonObject

export const textCases = [
  ...Object.entries(AWKWARD_TEXTS).map(([what, text]) =>
    storeCase(`ONE-03 ${what} come back byte for byte`, async ({ store }) => {
      const lines = [
        user(text),
        assistant(text),
        toolCall('run', { text }),
        toolResult(text),
        settings({ title: text }),
      ]
      const writer = await startSession(store, 's1', ...lines)
      await writer.write(lines)
      expectSameBytes(await store.entries.read('s1', {}), numberLines([...lines, ...lines]))
      const session = await store.sessions.get('s1')
      expectSameBytes(session?.head, writer.getHead())
      assert.equal(session?.title, text === '' ? null : toStorableText(text))
      assert.equal(session?.preview, findPreview(numberLines(lines)) ?? null)
      await expectInboxRoundTrip(store, { text })
    }),
  ),

  storeCase('ONE-03 order and names of keys come back as they were', async ({ store }) => {
    const lines: readonly Line[] = [
      toolCall('run', AWKWARD_OBJECT),
      settings({ policy: AWKWARD_OBJECT }),
      { type: 'environment', hash: 'h', parts: AWKWARD_OBJECT },
    ]
    await store.sessions.create({
      id: 's1',
      createdAt: START_AT,
      header: AWKWARD_OBJECT,
      entries: numberLines(lines),
    })
    expectSameBytes(await store.entries.read('s1', {}), numberLines(lines))
    expectSameBytes((await store.sessions.get('s1'))?.header, AWKWARD_OBJECT)
    await expectInboxRoundTrip(store, AWKWARD_OBJECT)
    await store.events.add('s1', START_AT, [AWKWARD_OBJECT])
    expectSameBytes((await store.events.read('s1', 0, 1))[0]?.event, AWKWARD_OBJECT)
  }),

  storeCase('ONE-03 an entry of a newer version is kept as it came, extra fields too', async ({ store }) => {
    const original = { seq: 1, id: 'e1', at: START_AT, type: 'hologram', beam: AWKWARD_OBJECT }
    const lines: readonly Line[] = [
      { type: 'unknown', original },
      { ...user('with a field of tomorrow'), mood: { b: 1, a: 2 } } as unknown as Line,
      { ...user('at half a millisecond'), at: START_AT + 0.5 },
    ]
    const writer = await startSession(store, 's1', ...lines)
    await writer.write(lines)
    expectSameBytes(await store.entries.read('s1', {}), numberLines([...lines, ...lines]))
    assert.ok(Number.isInteger((await store.sessions.get('s1'))?.updatedAt))
  }),

  storeCase('ONE-03 a text of two million characters comes back whole', async ({ store }) => {
    const text = 'Zeichen für Zeichen 🦊 '.repeat(90_000)
    const writer = await startSession(store, 's1', user(text))
    await writer.write([toolResult(text)])
    expectSameBytes(await store.entries.read('s1', {}), numberLines([user(text), toolResult(text)]))
  }),
]

async function expectInboxRoundTrip(
  store: Parameters<Parameters<typeof storeCase>[1]>[0]['store'],
  payload: JsonObject,
): Promise<void> {
  const item = { sessionId: 's1', id: 'round-trip', at: START_AT, kind: 'message', payload } as const
  assert.equal((await store.inbox.put(item)).status, 'new')
  const [waiting] = await store.inbox.list('s1')
  expectSameBytes(waiting?.payload, payload)
  assert.equal((await store.inbox.put(item)).status, 'waiting')
}
