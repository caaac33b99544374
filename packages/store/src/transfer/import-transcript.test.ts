import type { JsonObject } from '@longhaul/engine/advanced'
import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { describeStores } from '../../../../test/describe-stores.ts'
import type { Transcript } from '../jsonl/imported-session.ts'
import { readTranscripts } from '../jsonl/read-transcripts.ts'
import { arbitraryTranscript } from '../jsonl/testing/arbitrary-transcript.ts'
import { writeTranscript } from '../jsonl/write-longhaul.ts'
import type { Store } from '../port/store.ts'
import { START_AT, assistant, numberLines, user } from '../testing/build-entries.ts'
import { dumpText } from '../testing/expectations.ts'
import { exportSession } from './export-session.ts'
import { importTranscript } from './import-transcript.ts'

/** What an id may hold: anything but control characters and halves of characters. */
const idText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/\p{Cc}/u.test(text)),
  fc.constantFrom('日本語', '\u2028', '𝕏', 'a/b?c#d', "Robert'); --", '%_'),
)
/** Artifacts are kept as UTF-8. */
const transcripts = arbitraryTranscript(idText).map((drawn) => ({
  ...drawn,
  artifacts: drawn.artifacts.map(({ id, content }) => ({ id, content: content.toWellFormed() })),
}))

function transcript(id: string, text: string): Transcript {
  return { session: { id, createdAt: START_AT }, entries: numberLines([user(text), assistant('Yes.')]), artifacts: [] }
}

async function exportText(store: Store, id: string): Promise<string> {
  return (await Array.fromAsync(exportSession(store, id))).join('')
}

function withSortedArtifacts(read: Transcript): Transcript {
  return { ...read, artifacts: read.artifacts.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
}

describeStores('importTranscript', (open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })

  it('OPEN-01 what was imported is exported exactly, whatever the entries hold', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(transcripts, async (drawn) => {
        run += 1
        const wanted = { ...drawn, session: { ...drawn.session, id: `session ${run}` } }
        const text = writeTranscript(wanted)
        await importTranscript(store, text)
        const exported = await exportText(store, wanted.session.id)
        const [read] = readTranscripts(exported)
        expect(read && withSortedArtifacts(read)).toEqual({
          format: 'longhaul',
          ...withSortedArtifacts(wanted),
          skipped: [],
        })
        // Hashes of requests rest on the order of keys.
        const entryLines = (lines: string) => lines.split('\n').slice(1, 1 + wanted.entries.length)
        expect(entryLines(exported)).toEqual(entryLines(text))
      }),
      { numRuns: 60 },
    )
  })

  it('a long text stopped everything else this process did: others have their turns while it is read and stored', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => user(`Line ${n}`))
    const long = { ...transcript('long', ''), entries: numberLines(lines) }
    const text = writeTranscript(long)
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    await importTranscript(store, text)
    isOver = true
    expect(turns).toBeGreaterThan(20)
    expect(await exportText(store, 'long')).toBe(text)
  })

  it('a long text that cannot be read, or not be stored, changes nothing', async () => {
    const unreadable = 'no JSON at all\n'.repeat(30_000)
    await expect(importTranscript(store, unreadable)).rejects.toMatchObject({ code: 'unreadable-transcript' })
    const lines = [...Array.from({ length: 20_000 }, () => user('Line')), user('Last', 'control\u0001')]
    const long = { ...transcript('long', ''), entries: numberLines(lines) }
    await expect(importTranscript(store, writeTranscript(long))).rejects.toMatchObject({ code: 'invalid' })
    await expect(importTranscript(store, writeTranscript(long), { signal: AbortSignal.abort() })).rejects.toThrow(
      'aborted',
    )
    expect(await store.sessions.get('long')).toBeNull()
    expect(await store.check()).toEqual([])
  })

  it('OPEN-01 stores every session of a text, with the fields of its first line', async () => {
    const one = { ...transcript('one', 'Hello'), artifacts: [{ id: 'a1', content: 'the full output' }] }
    const two = transcript('two', 'Hi')
    const session = { ...two.session, title: 'Greetings', model: 'p/m', systemPrompt: 'Be brief.', shape: 'round' }
    const report = await importTranscript(store, writeTranscript(one) + writeTranscript({ ...two, session }))
    expect(report.sessions).toEqual([
      { id: 'one', originalId: 'one', isCopy: false, format: 'longhaul', entryCount: 2, artifactCount: 1, skipped: [] },
      { id: 'two', originalId: 'two', isCopy: false, format: 'longhaul', entryCount: 2, artifactCount: 0, skipped: [] },
    ])
    const stored = await store.sessions.get('two')
    expect(stored).toMatchObject({ createdAt: START_AT, title: 'Greetings', preview: 'Yes.' })
    const { type: _type, ...told } = JSON.parse((await exportText(store, 'two')).split('\n')[0] ?? '') as JsonObject
    expect(told).toEqual({ version: 1, ...session })
    expect(stored?.header).toEqual({
      title: 'Greetings',
      model: 'p/m',
      systemPrompt: 'Be brief.',
      shape: 'round',
      importedSeq: 2,
    })
    expect(stored?.head).toMatchObject({ lastSeq: 2, totals: { messages: 2 } })
    expect(await store.artifacts.read('one', 'a1')).toBe('the full output')
  })

  it('a damaged line is reported with its number and the rest is stored', async () => {
    const lines = writeTranscript(transcript('s', 'Hello')).split('\n')
    lines.splice(2, 0, '{"type":"message","seq":2,"id":')
    const { sessions } = await importTranscript(store, lines.join('\n'))
    expect(sessions[0]?.skipped).toEqual([{ line: 3, reason: 'not JSON' }])
    expect(await store.entries.read('s', {})).toHaveLength(2)
  })

  it.each([
    [
      'pi',
      '{"type":"session","version":3,"id":"p1","timestamp":"2026-01-01T00:00:00Z"}\n{"type":"message","id":"m1","parentId":null,"timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"Hello"}}',
    ],
    [
      'claude-code',
      '{"type":"user","sessionId":"c1","uuid":"u1","parentUuid":null,"timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"Hello"}}',
    ],
    [
      'openai-chat',
      '{"id":"o1","messages":[{"role":"developer","content":"Be brief."},{"role":"user","content":"Hello"}]}',
    ],
    [
      'ai-sdk',
      '[{"role":"user","content":[{"type":"text","text":"Hello"}]},{"role":"assistant","content":[{"type":"text","text":"Hi"}]}]',
    ],
  ])('stores a session of the format %s', async (format, text) => {
    const { sessions } = await importTranscript(store, text)
    expect(sessions).toMatchObject([{ format, skipped: [] }])
    const [first] = await store.entries.read(sessions[0]?.id ?? '', { limit: 1 })
    expect(first).toMatchObject({ type: 'message', role: 'user', parts: [{ type: 'text', text: 'Hello' }] })
  })

  it('a taken id is refused by name and nothing of the text is stored', async () => {
    await importTranscript(store, writeTranscript(transcript('taken', 'First')))
    await store.sessions.setDeleted('taken', START_AT)
    const before = await dumpText(store)
    const text = writeTranscript(transcript('free', 'Second')) + writeTranscript(transcript('taken', 'Third'))
    await expect(importTranscript(store, text)).rejects.toMatchObject({
      code: 'id-conflict',
      message: expect.stringContaining('taken') as string,
    })
    expect(await dumpText(store)).toEqual(before)
  })

  it('two sessions of one text with one id are refused, or the second gets a new one', async () => {
    const text = writeTranscript(transcript('same', 'First')) + writeTranscript(transcript('same', 'Second'))
    await expect(importTranscript(store, text)).rejects.toMatchObject({ code: 'id-conflict' })
    const { sessions } = await importTranscript(store, text, { onTakenId: 'rename' })
    expect(sessions.map(({ originalId, isCopy }) => [originalId, isCopy])).toEqual([
      ['same', false],
      ['same', true],
    ])
    const ids = sessions.map(({ id }) => id)
    expect(ids[0]).toBe('same')
    expect(await exportText(store, ids[1] ?? '')).toContain('Second')
  })

  it('an import that may rename does so when the id was taken a moment ago', async () => {
    const text = writeTranscript(transcript('same', 'Hello'))
    const [one, other] = await Promise.all([
      importTranscript(store, text, { onTakenId: 'rename' }),
      importTranscript(store, text, { onTakenId: 'rename' }),
    ])
    const found = [...one.sessions, ...other.sessions]
    expect(found.filter(({ isCopy }) => isCopy)).toHaveLength(1)
    expect(new Set(found.map(({ id }) => id)).size).toBe(2)
  })

  it('whoever imports may name the sessions, and finds the names taken the next time', async () => {
    const text = writeTranscript(transcript('same', 'First')) + writeTranscript(transcript('same', 'Second'))
    const idFor = (index: number): string => `mine ${index}`
    const { sessions } = await importTranscript(store, text, { idFor })
    expect(sessions.map(({ id, originalId }) => [id, originalId])).toEqual([
      ['mine 0', 'same'],
      ['mine 1', 'same'],
    ])
    await expect(importTranscript(store, text, { idFor })).rejects.toMatchObject({ code: 'id-conflict' })
  })

  it('a text that is no transcript stores nothing', async () => {
    await expect(importTranscript(store, 'Dear diary')).rejects.toMatchObject({ code: 'unreadable-transcript' })
    const badId = writeTranscript(transcript('good', 'Hello')) + writeTranscript(transcript('bad\nid', 'Hello'))
    await expect(importTranscript(store, badId)).rejects.toMatchObject({ code: 'invalid' })
    expect(await dumpText(store)).toEqual([])
  })

  it.each([1.5, -7, 1e300])('stores a file written by hand that has %f for its times', async (at) => {
    const { entries } = transcript('s', 'Hello')
    const strange = entries.map((entry) => ({ ...entry, at }))
    const text = writeTranscript({ session: { id: 's', createdAt: at }, entries: strange, artifacts: [] })
    await importTranscript(store, text)
    expect(await store.entries.read('s', {})).toEqual(strange)
    expect(await store.sessions.list({ limit: 1 })).toMatchObject({ items: [{ id: 's' }] })
  })

  it('artifacts of an old transcript count as new, so that retention does not delete them at once', async () => {
    const old = { ...transcript('old', 'Hello'), artifacts: [{ id: 'a1', content: 'the full output' }] }
    await importTranscript(store, writeTranscript(old), { now: START_AT + 1_000_000 })
    expect(await store.artifacts.deleteBefore(START_AT + 1_000_000)).toBe(0)
    expect(await store.artifacts.read('old', 'a1')).toBe('the full output')
  })

  it('a repeatable import that was cut short is completed; the same ids for another text are refused', async () => {
    const text = writeTranscript(transcript('a', 'One')) + writeTranscript(transcript('b', 'Two'))
    const options = { idFor: (index: number) => `import-${index}`, isRepeatable: true }
    const first = await importTranscript(store, text, options)
    expect(first.sessions.map(({ id }) => id)).toEqual(['import-0', 'import-1'])
    await store.sessions.purge('import-1')
    expect(await importTranscript(store, text, options)).toEqual(first)
    expect((await store.sessions.list({})).items).toHaveLength(2)
    const other = writeTranscript(transcript('a', 'Another'))
    await expect(importTranscript(store, other, options)).rejects.toMatchObject({ code: 'id-conflict' })
    // The hash is told by an export; it makes no later import repeatable.
    const exported = await exportText(store, 'import-0')
    await expect(importTranscript(store, exported)).rejects.toMatchObject({ code: 'id-conflict' })
  })

  it('a text of which nothing can be read is refused', async () => {
    const nothing = importTranscript(store, '{"messages":[1,2]}')
    await expect(nothing).rejects.toMatchObject({ code: 'unreadable-transcript' })
    expect((await store.sessions.list({})).items).toEqual([])
  })
})
