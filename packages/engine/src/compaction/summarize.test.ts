import { describe, expect, test } from 'vitest'
import { resolveLimits } from '../policy/limits.ts'
import type { Limits } from '../policy/limits.ts'
import type { ContextPolicy } from '../policy/policy.ts'
import { PRESETS } from '../policy/presets.ts'
import { createProseDocument, renderDocument } from '../summary/render-document.ts'
import { assistant, call, items, reasoning, result, tool, user } from '../testing/build-conversation.ts'
import { driveSession } from '../testing/drive-session.ts'
import { planOf } from '../testing/plan-of.ts'
import { scriptSummaries } from '../testing/scripted-summariser.ts'
import type { ScriptedAnswer } from '../testing/scripted-summariser.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { CompactionPlan } from './compaction-plan.ts'
import type { AskModel, SummaryRequest } from './strategy.ts'
import { summarizeStrategy } from './summarize.ts'

const SUMMARY = 'The user asked for a parser; the assistant wrote it.'
const REPLY = `<summary>${SUMMARY}</summary>`
const usage = { input: 100, output: 10, costUsd: 0.5 }

function limitsOf(policy: ContextPolicy, windowTokens = 200_000): Limits {
  const limits = resolveLimits(policy, { windowTokens })
  if (limits === null) throw new Error('no limits')
  return limits
}

async function summarize(
  plan: CompactionPlan,
  script: readonly ScriptedAnswer[] | ((request: SummaryRequest) => ScriptedAnswer),
  policy: ContextPolicy = PRESETS.oneclaw,
  signal = { aborted: false },
) {
  const { ask, requests } = scriptSummaries(script)
  const done = await summarizeStrategy.summarize(plan, { policy, limits: limitsOf(policy), ask, signal })
  return { done, requests, text: done.ok ? renderDocument(done.document) : done.problem }
}

const chat = items(
  user(`Please write a parser for this grammar: ${'a | b '.repeat(40)}`),
  assistant(`It is written, and these are the rules: ${'c | d '.repeat(40)}`),
)
const long = (count: number, tokens: number) =>
  items(...Array.from({ length: count }, (_, index) => user(`message ${index} ${'x '.repeat(tokens * 2)}`)))

const partOf = ({ prompt }: SummaryRequest) => /message (\d+)/.exec(prompt)?.[1]

describe('one text', () => {
  test('asks once and makes a document of the answer', async () => {
    const { done, requests } = await summarize(planOf(chat), [
      { text: `<summary>${SUMMARY}</summary>`, finish: 'stop', usage },
    ])
    expect(done).toEqual({ ok: true, document: createProseDocument(SUMMARY, ['m1', 'm2']), usage })
    expect(requests).toHaveLength(1)
  })

  test('MICRO-07 asks at temperature 0, with 2,048 (oneclaw) and 4,096 (micro) tokens of output and 15 s', async () => {
    const oneclaw = await summarize(planOf(chat), [SUMMARY])
    expect(oneclaw.requests[0]).toMatchObject({
      model: 'session',
      temperature: 0,
      maxOutputTokens: 2_048,
      timeoutMs: 15_000,
    })
    expect(oneclaw.requests[0]?.prompt).toContain('between 200 and 500 words')
    const micro = await summarize(planOf(chat), [SUMMARY], PRESETS.micro)
    expect(micro.requests[0]).toMatchObject({ maxOutputTokens: 4_096, temperature: 0 })
  })

  test('MICRO-11 micro asks for a summary that is not streamed, the others for a streamed one', async () => {
    for (const preset of ['oneclaw', 'openclaw', 'micro', 'spec008', 'longhaul'] as const) {
      const { requests } = await summarize(planOf(chat), [REPLY], PRESETS[preset])
      expect(requests[0]?.stream).toBe(preset !== 'micro')
    }
  })

  test('SPEC-06 names the cheap model where the policy does', async () => {
    const { requests } = await summarize(planOf(chat), [SUMMARY], PRESETS.spec008)
    expect(requests[0]).toMatchObject({ model: 'anthropic/claude-haiku-4-5-20251001', maxOutputTokens: 1_024 })
  })

  test('ONE-12 hands the earlier summary in and returns exactly one', async () => {
    const previousDocument = createProseDocument('Earlier they chose PEG.', ['m0'])
    const { done, requests } = await summarize(planOf(chat, { previousDocument }), [SUMMARY])
    expect(requests[0]?.prompt).toContain('-----\nEarlier they chose PEG.\n----- END EARLIER SUMMARY')
    expect(done.ok && done.document.sections.flatMap((section) => section.items)).toHaveLength(1)
  })

  test('a ledger of another strategy is carried', async () => {
    const ledger = [
      { kind: 'url', text: 'https://a.example', by: 'user', sources: ['m0'], count: 1, lastSeq: 0 },
    ] as const
    const previousDocument = { ...createProseDocument('Earlier.', []), ledger }
    const { done } = await summarize(planOf(chat, { previousDocument }), [SUMMARY])
    expect(done.ok && done.document.ledger).toBe(ledger)
  })

  test('OPEN-14 hands the user’s wish in, and nothing for a blank one', async () => {
    const wished = await summarize(planOf(chat, { instructions: 'Focus on the grammar' }), [SUMMARY])
    expect(wished.requests[0]?.prompt).toMatch(/BEGIN WISH [0-9a-f]+ -----\nFocus on the grammar\n/)
    const blank = await summarize(planOf(chat, { instructions: ' \u00a0\u200b' }), [SUMMARY])
    expect(blank.requests[0]?.prompt).not.toContain('WISH')
  })

  test('MICRO-07 caps what micro sends at 100,000 characters', async () => {
    const { requests } = await summarize(planOf(long(60, 1_000)), [REPLY], PRESETS.micro)
    const transcript =
      /BEGIN TRANSCRIPT [0-9a-f]+ -----\n([\s\S]*)\n----- END TRANSCRIPT/.exec(requests[0]?.prompt ?? '')?.[1] ?? ''
    expect(transcript.length).toBeLessThanOrEqual(100_000)
    expect(transcript).toContain('message 0')
    expect(transcript).toContain('message 59')
  })

  test('LH-04 the data of a call fit the summary model, whatever the sizes', async () => {
    const policy = PRESETS.oneclaw
    const previousDocument = createProseDocument('old '.repeat(100_000), [])
    const plan = planOf(long(60, 2_000), { previousDocument, instructions: '重'.repeat(2_000) })
    const { ask, requests } = scriptSummaries([REPLY])
    const limits = limitsOf(policy, 8_000)
    await summarizeStrategy.summarize(plan, { policy, limits, ask, signal: { aborted: false } })
    const { system, prompt } = requests[0] ?? { system: '', prompt: '' }
    expect(estimateField(prompt, 'plain')).toBeLessThanOrEqual(limits.summaryInputTokens + 1_200)
    expect(
      estimateField(system, 'plain') + estimateField(prompt, 'plain') + limits.summaryOutputTokens,
    ).toBeLessThanOrEqual(8_000)
  })

  test('names the language and calls a summary in another one weak', async () => {
    const german = items(
      user(
        'Kannst du mir bitte einen Parser für diese Grammatik schreiben? Er soll auch mit leeren Dateien und mit Fehlern umgehen können.',
      ),
      assistant('Das ist erledigt, und die Tests sind auch da.'),
    )
    const english =
      'The user asked for a parser that is able to handle empty files and errors, and it was written with tests.'
    const plan = planOf(german, { spanTokens: 500 })
    const refused = await summarize(plan, [english])
    expect(refused.requests[0]?.prompt).toContain('Write in German')
    expect(refused.done).toMatchObject({ ok: true, weakness: expect.stringContaining('wrong-language') })
    const wished = await summarize({ ...plan, instructions: 'auf Englisch' }, [english])
    expect(wished.done.ok).toBe(true)
  })
})

describe('failures', () => {
  test.each<[string, ScriptedAnswer, RegExp]>([
    ['ONE-14 an empty answer', '', /^empty: /],
    ['ONE-14 an answer cut off', { text: '<summary>The user', finish: 'length' }, /^cut-off: /],
    ['a reply to the chat', 'Sure! I will write the parser for you now.', /^answers-the-chat: /],
    ['an error text', '{"error":"overloaded"}', /^error-text: /],
    ['a summary that is too long', `<summary>${'The user asked. '.repeat(200)}</summary>`, /^not-shorter: /],
    ['an error of the provider', new Error('socket hang up'), /^socket hang up$/],
  ])('%s fails', async (_, answer, problem) => {
    const { done } = await summarize(planOf(chat), [answer])
    expect(done).toMatchObject({ ok: false })
    expect(done.ok ? '' : done.problem).toMatch(problem)
  })

  test('errors are shortened and lose what looks like a key', async () => {
    const { text } = await summarize(planOf(chat), [
      new Error(`401 for Bearer sk-abc123def456ghi789jkl0 in ${'{"prompt":"…"}'.repeat(99)}`),
    ])
    expect(text.length).toBeLessThanOrEqual(300)
    expect(text).not.toContain('sk-abc123')
  })

  test('what a refused answer cost is billed', async () => {
    const { done } = await summarize(planOf(chat), [{ text: '', finish: 'stop', usage }])
    expect(done.usage).toEqual(usage)
  })

  test('nothing is asked after a cancel', async () => {
    const { done, requests } = await summarize(planOf(chat), [SUMMARY], PRESETS.oneclaw, { aborted: true })
    expect(done.ok).toBe(false)
    expect(requests).toHaveLength(0)
  })
})

describe('chunks', () => {
  const policy = PRESETS.openclaw

  test('OPEN-13 summarises each chunk, then merges earlier summary and parts in order', async () => {
    const previousDocument = createProseDocument('Before all that they met.', [])
    const plan = planOf(long(150, 1_000), { previousDocument })
    const { done, requests, text } = await summarize(
      plan,
      (request) =>
        request.prompt.includes('PART 1 OF') ? REPLY : `<summary>Part that begins at ${partOf(request)}.</summary>`,
      policy,
    )
    expect(requests).toHaveLength(4)
    const merge = requests.at(-1)?.prompt ?? ''
    const starts = [...merge.matchAll(/Part that begins at (\d+)/g)].map((match) => Number(match[1]))
    expect(starts).toHaveLength(3)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(merge.indexOf('Before all that they met.')).toBeLessThan(merge.indexOf('Part that begins'))
    expect(requests[0]?.prompt).not.toContain('Before all that')
    expect(text).toBe(SUMMARY)
    expect(done.ok && done.document.sections[0]?.items[0]?.sources).toHaveLength(150)
  })

  test('each call says what it holds: its own chunk word for word, a merge what its parts tell of', async () => {
    const span = long(150, 1_000)
    const previousDocument = createProseDocument('Before all that they met.', [])
    const { requests } = await summarize(planOf(span, { previousDocument }), () => REPLY, policy)
    const merge = requests.at(-1)
    const chunks = requests.slice(0, -1).map(({ content, prompt }) => ({ content, prompt }))
    expect(chunks.flatMap(({ content }) => content?.items.map(({ item }) => item))).toEqual(span)
    for (const { content, prompt } of chunks) {
      expect(content?.earlier).toBeNull()
      for (const { item, state } of content?.items ?? []) {
        expect(state).toBe('verbatim')
        expect(prompt).toContain(`message ${item.entry.seq - 1} `)
      }
    }
    expect(merge?.content?.earlier).toBe('Before all that they met.')
    expect(merge?.content?.items).toEqual(span.map((item) => ({ item, state: 'summarised', tokens: 0 })))
  })

  test('OPEN-13 sends a span that fits one chunk once, with the earlier summary', async () => {
    const { requests } = await summarize(
      planOf(chat, { previousDocument: createProseDocument('Before.', []) }),
      [SUMMARY],
      policy,
    )
    expect(requests).toHaveLength(1)
    expect(requests[0]?.prompt).toContain('EARLIER SUMMARY')
  })

  const isMerge = ({ prompt }: SummaryRequest) => prompt.includes('PART 1 OF')
  const partReply = (request: SummaryRequest) => `<summary>Part that begins at ${partOf(request)}.</summary>`

  test('OPEN-21 a part that failed is asked for again, alone', async () => {
    let failures = 0
    const { requests, text } = await summarize(
      planOf(long(150, 1_000)),
      (request) => {
        if (isMerge(request)) return REPLY
        if (partOf(request) === '50' && failures++ === 0) return new Error('overloaded')
        return partReply(request)
      },
      policy,
    )
    expect(requests.filter((request) => !isMerge(request)).map(partOf)).toEqual(['0', '50', '100', '50'])
    expect(requests.at(-1)?.prompt).toContain('Part that begins at 50.')
    expect(text).toBe(SUMMARY)
  })

  test('OPEN-21 a part that fails again is annotated; the good parts are kept, and every call is billed', async () => {
    const { done, requests, text } = await summarize(
      planOf(long(150, 1_000)),
      (request) => {
        if (isMerge(request)) return { text: REPLY, finish: 'stop', usage }
        return { text: partOf(request) === '50' ? '' : partReply(request), finish: 'stop', usage }
      },
      policy,
    )
    expect(text).toBe(`${SUMMARY}\n\n[50 messages could not be summarized]`)
    const merge = requests.at(-1)?.prompt ?? ''
    expect(merge).toContain('Part that begins at 0.')
    expect(merge).toContain('Part that begins at 100.')
    expect(done.usage).toEqual({ input: 500, output: 50, costUsd: 2.5 })
    const [told, missing] = done.ok ? done.document.sections.flatMap((section) => section.items) : []
    expect(told?.sources).toHaveLength(100)
    expect(missing?.sources).toEqual(Array.from({ length: 50 }, (_, index) => `m${index + 51}`))
  })

  test('OPEN-21 one good part needs no merging', async () => {
    const { requests, text } = await summarize(
      planOf(long(150, 1_000)),
      (request) => (partOf(request) === '0' ? partReply(request) : new Error('overloaded')),
      policy,
    )
    expect(requests).toHaveLength(5)
    expect(text).toBe(
      'Part that begins at 0.\n\n[50 messages could not be summarized]\n\n[50 messages could not be summarized]',
    )
  })

  test('OPEN-21 where no merge can be had, the parts stand one after the other', async () => {
    const previousDocument = createProseDocument('Before all that they met.', [])
    const { text } = await summarize(
      planOf(long(150, 1_000), { previousDocument }),
      (request) => (isMerge(request) ? 'Sure! I will go on with the parser now.' : partReply(request)),
      policy,
    )
    expect(text).toBe(
      'Before all that they met.\n\nPart that begins at 0.\n\nPart that begins at 50.\n\nPart that begins at 100.',
    )
  })

  test('OPEN-21 if every part fails, the compaction fails, and is not tried a third time', async () => {
    const { done, requests } = await summarize(planOf(long(150, 1_000)), () => '', policy)
    expect(done).toMatchObject({ ok: false, isFinal: true })
    expect(done.ok ? '' : done.problem).toMatch(/^part 1 of 3: empty: /)
    expect(requests).toHaveLength(6)
  })

  test('OPEN-21 a model that cannot be reached is asked for three parts at most', async () => {
    const { done, requests } = await summarize(planOf(long(400, 1_000)), () => new Error('overloaded'), policy)
    expect(done.ok ? '' : done.problem).toMatch(/^part 1 of \d: overloaded$/)
    expect(requests).toHaveLength(6)
  })

  test('ONE-21 OPEN-21 a part that says little is used once nothing better came', async () => {
    const { requests } = await summarize(
      planOf(long(150, 1_000)),
      (request) =>
        isMerge(request) ? REPLY : partOf(request) === '50' ? 'All tests pass, credo is clean.' : partReply(request),
      policy,
    )
    expect(requests).toHaveLength(5)
    expect(requests.at(-1)?.prompt).toContain('All tests pass, credo is clean.')
  })

  test('ONE-21 OPEN-21 openclaw at 40,000 tokens: one part of two says next to nothing, and there is a summary all the same', async () => {
    const ask: AskModel = ({ prompt }) => {
      const isGood = prompt.includes('PART 1 OF') || prompt.includes('turn 0 ')
      return Promise.resolve({ text: isGood ? REPLY : 'All tests pass, credo is clean.', finish: 'stop' })
    }
    const session = driveSession({ policy, windowTokens: 40_000, ask })
    for (let turn = 0; turn < 20; turn += 1) {
      const words = `turn ${turn} ${'word '.repeat(1_000)}`.slice(0, 5_000)
      session.append({ type: 'message', role: 'user', parts: [{ type: 'text', text: words }] })
      session.append({ type: 'message', role: 'assistant', parts: [{ type: 'text', text: words }] })
      await session.maintain('after-response')
    }
    expect(session.entries.map(({ type }) => type)).not.toContain('maintenance-failed')
    expect(session.entries.map(({ type }) => type)).not.toContain('trim')
    expect(session.entries.filter(({ type }) => type === 'compaction').length).toBeGreaterThan(0)
  })

  test('OPEN-13 notes a message over half the window in the summary, by code', async () => {
    const span = items(user('Read the log.'), user('x'.repeat(600_000)), assistant('Read it.'))
    const { requests, text } = await summarize(planOf(span), [REPLY], policy)
    const note = '[Large user message (~150K tokens) left out of the summary]'
    expect(requests[0]?.prompt).toContain(`User: Read the log.\n\n${note}\n\nAssistant: Read it.`)
    expect(text).toBe(`${SUMMARY}\n\n${note}`)
  })

  test('asks nobody where there is nothing to read, and says so', async () => {
    const previousDocument = createProseDocument('Before.', [])
    const large = await summarize(planOf(items(user('x'.repeat(600_000))), { previousDocument }), [], policy)
    expect(large.requests).toHaveLength(0)
    expect(large.text).toBe('Before.\n\n[Large user message (~150K tokens) left out of the summary]')
    const silent = await summarize(planOf(items(assistant(reasoning('hm')), assistant(reasoning('so')))), [], policy)
    expect(silent.text).toBe('Context contained 2 messages. Summary unavailable.')
  })

  test('merges in rounds where one call cannot hold all parts', async () => {
    const small = { ...policy, compaction: { ...policy.compaction, maxOutputTokens: 400 } }
    const limits = limitsOf(small, 2_000)
    const { ask, requests } = scriptSummaries(() => `<summary>${'The user said a thing. '.repeat(60)}</summary>`)
    const span = long(60, 200)
    const done = await summarizeStrategy.summarize(planOf(span), {
      policy: small,
      limits,
      ask,
      signal: { aborted: false },
    })
    expect(done.ok).toBe(true)
    const merges = requests.filter(({ prompt }) => prompt.includes('PART 1 OF'))
    expect(merges.length).toBeGreaterThan(2)
    const heldBy = merges.map(({ content }) => content?.items.map(({ item }) => item) ?? [])
    expect(heldBy.at(-1)).toEqual(span)
    expect(heldBy[0]?.length).toBeLessThan(span.length)
    expect(heldBy[0]).toEqual(span.slice(0, heldBy[0]?.length))
    for (const { prompt } of requests)
      expect(estimateField(prompt, 'plain')).toBeLessThanOrEqual(limits.summaryInputTokens + 1_200)
  })

  test('MICRO-05 shows a chunk its tool results with their calls', async () => {
    const turns = Array.from({ length: 40 }, (_, index) => [
      assistant(call(`c${index}`, 'read', { index })),
      tool(result(`c${index}`, `${'y '.repeat(8_000)} end of ${index}.`)),
    ])
    const { requests } = await summarize(planOf(items(...turns.flat())), () => REPLY, policy)
    const chunks = requests.filter(({ prompt }) => prompt.includes('BEGIN TRANSCRIPT'))
    expect(chunks.length).toBeGreaterThan(1)
    for (const { prompt } of chunks) {
      const called = [...prompt.matchAll(/"index":(\d+)/g)].map((match) => match[1])
      const answered = [...prompt.matchAll(/end of (\d+)\./g)].map((match) => match[1])
      expect(answered).toEqual(called)
    }
  })

  test('at most three calls are under way at a time, and a cancel stops the rest', async () => {
    const signal = { aborted: false }
    let underWay = 0
    let most = 0
    let asked = 0
    const done = await summarizeStrategy.summarize(planOf(long(200, 2_000)), {
      policy,
      limits: limitsOf(policy),
      signal,
      ask: async () => {
        asked += 1
        underWay += 1
        most = Math.max(most, underWay)
        for (let tick = 0; tick < 5; tick += 1) await Promise.resolve()
        underWay -= 1
        signal.aborted = true
        return { text: REPLY, finish: 'stop', usage }
      },
    })
    expect(done).toMatchObject({ ok: false, usage: { input: 300 } })
    expect([most, asked]).toEqual([3, 3])
  })
})
