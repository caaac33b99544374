import { describe, expect, it } from 'vitest'
import { resolveLimits } from '../policy/limits.ts'
import type { ContextPolicy } from '../policy/policy.ts'
import { PRESETS } from '../policy/presets.ts'
import { renderDocument } from '../summary/render-document.ts'
import { renderSummary } from '../summary/render-summary.ts'
import { items, user } from '../testing/build-conversation.ts'
import { driveSession } from '../testing/drive-session.ts'
import type { DrivenSession } from '../testing/drive-session.ts'
import { planOf } from '../testing/plan-of.ts'
import { scriptSummaries } from '../testing/scripted-summariser.ts'
import type { ScriptedAnswer } from '../testing/scripted-summariser.ts'
import type { CompactionEntry } from '../transcript/entry.ts'
import { longhaulStrategy } from './longhaul.ts'
import type { AskModel, SummaryReply } from './strategy.ts'

const LONG = 'The build was looked at from several sides and nothing else was found in it. '.repeat(12)

/** Work as agents do it: asks, an instruction, files read and changed, commands, figures, an address. */
function work(session: DrivenSession, round: number): void {
  const id = `c${round}`
  const path = `src/module-${round}/index.ts`
  const say = (role: 'user' | 'assistant', text: string) =>
    session.append({ type: 'message', role, parts: [{ type: 'text', text }] })
  if (round === 0) say('user', 'Please make the build of this project twice as fast. Never touch the licence file.')
  else say('user', `Now go on with module ${round}, the limit is ${round * 10 + 5} ms.`)
  session.append({
    type: 'message',
    role: 'assistant',
    parts: [
      { type: 'text', text: LONG },
      { type: 'tool-call', toolCallId: id, toolName: 'edit', input: { path, old: 'a', new: 'b' } },
      { type: 'tool-call', toolCallId: `${id}b`, toolName: 'bash', input: { command: `npm test -- ${path}` } },
    ],
  })
  session.append({
    type: 'message',
    role: 'tool',
    parts: [
      { type: 'tool-result', toolCallId: id, toolName: 'edit', output: 'ok' },
      { type: 'tool-result', toolCallId: `${id}b`, toolName: 'bash', output: `all passed\n${LONG}` },
    ],
  })
  say('assistant', `Module ${round} is done, see https://example.org/builds/${round}. ${LONG}`)
}

function compactions(session: DrivenSession): readonly CompactionEntry[] {
  return session.entries.filter((entry) => entry.type === 'compaction')
}

async function workThrough(ask: AskModel | undefined, rounds: number): Promise<DrivenSession> {
  const session = driveSession({ policy: PRESETS.longhaul, windowTokens: 16_000, ...(ask && { ask }) })
  for (let round = 0; round < rounds; round += 1) {
    work(session, round)
    await session.maintain('after-response')
  }
  return session
}

const reply =
  (text: string, finish: SummaryReply['finish'] = 'stop'): AskModel =>
  () =>
    Promise.resolve({ text, finish })
const sent = (session: DrivenSession): string => JSON.stringify(session.seal().messages)

describe('the longhaul strategy', () => {
  it.each<[string, AskModel | undefined]>([
    ['no summariser at all', undefined],
    ['an empty reply', reply('')],
    ['one lossy sentence', reply('<summary>+ State: some modules were made faster</summary>')],
    ['a reply longer than what it replaces', reply(`<summary>${'+ State: word word word\n'.repeat(9_000)}</summary>`)],
    ['an answer to the chat', reply('Sure! I will start with the next module right away. Shall I go on?')],
    ['an invented approval', reply('<summary>+ Decisions: The user said "yes, delete the licence file"</summary>')],
    ['a reply that was cut off', reply('<summary>+ State: half of', 'length')],
    [
      'another language',
      reply(
        '<summary>+ Stand: Die Module wurden alle nacheinander und mit viel Geduld schneller gemacht, und der Rest ist noch nicht fertig, aber er wird es bald sein.</summary>',
      ),
    ],
  ])('ONE-14 OPEN-15 LH-04 keeps asks, instructions and changed files in context with %s', async (_, ask) => {
    const session = await workThrough(ask, 40)
    expect(compactions(session).length).toBeGreaterThanOrEqual(2)
    work(session, 40)
    const context = sent(session)
    expect(context).toContain('Please make the build of this project twice as fast')
    expect(context).toContain('Never touch the licence file')
    expect(context).toContain('Now go on with module 40')
    for (let round = 0; round <= 40; round += 1) expect(context).toMatch(new RegExp(`module-${round}\\b`))
    expect(context).not.toContain('yes, delete the licence file')
  })

  it('SPEC-07 every compaction has a score, which is high when the ledger carries what the prose dropped', async () => {
    const session = await workThrough(reply('<summary>+ State: work goes on</summary>'), 20)
    const scores = compactions(session).map(({ score }) => score ?? 0)
    expect(scores.length).toBeGreaterThan(0)
    expect(Math.min(...scores)).toBeGreaterThan(0.7)
  })

  it('ONE-12 notes that no change names stay byte for byte through ten compactions', async () => {
    let calls = 0
    const ask: AskModel = () => {
      calls += 1
      const text =
        calls === 1 ? '+ Decisions: port 4747 is used because 8080 is taken' : `+ State: step ${calls} is done`
      return Promise.resolve({ text: `<summary>${text}</summary>`, finish: 'stop' })
    }
    const session = await workThrough(ask, 160)
    const made = compactions(session)
    expect(made.length).toBeGreaterThanOrEqual(10)
    const decisions = made.map(({ document }) =>
      JSON.stringify(document.sections.find(({ title }) => title === 'Decisions')),
    )
    expect(new Set(decisions).size).toBe(1)
    expect(renderSummary((made.at(-1) as CompactionEntry).document)).toContain(
      'port 4747 is used because 8080 is taken',
    )
  })

  describe('in chunks', () => {
    const policy: ContextPolicy = PRESETS.longhaul
    const span = items(...Array.from({ length: 150 }, (_, index) => user(`message ${index} ${'word '.repeat(1_000)}`)))
    const summarize = async (script: (chunk: number) => ScriptedAnswer, chosen: ContextPolicy = policy) => {
      const limits = resolveLimits(chosen, { windowTokens: 200_000 })
      if (limits === null) throw new Error('no limits')
      const firsts: number[] = []
      const { ask, requests } = scriptSummaries((request) => {
        const first = Number(/message (\d+)/.exec(request.prompt.split('BEGIN TRANSCRIPT')[1] ?? '')?.[1])
        if (!firsts.includes(first)) firsts.push(first)
        return script(firsts.indexOf(first))
      })
      const signal = { aborted: false }
      const done = await longhaulStrategy.summarize(planOf(span), { policy: chosen, limits, ask, signal })
      return { done, requests, chunks: firsts.length, text: done.ok ? renderDocument(done.document) : done.problem }
    }
    const note = (chunk: number) => `<summary>+ State: chunk ${chunk} is read</summary>`

    it('OPEN-21 a chunk that failed is asked for once more', async () => {
      let failures = 0
      const { text, chunks, requests } = await summarize((chunk) =>
        chunk === 1 && failures++ === 0 ? new Error('overloaded') : note(chunk),
      )
      expect(chunks).toBeGreaterThan(2)
      expect(requests).toHaveLength(chunks + 1)
      expect(text).toContain('chunk 1 is read')
      expect(text).not.toContain('could not be summarized')
    })

    it('OPEN-21 a chunk that fails again is skipped with an annotation; notes and ledger keep the rest', async () => {
      const { done, text, chunks, requests } = await summarize((chunk) => (chunk === 1 ? '' : note(chunk)))
      expect(requests).toHaveLength(chunks + 1)
      expect(text).toContain('chunk 0 is read')
      expect(text).toContain(`chunk ${chunks - 1} is read`)
      const missing = requests[1]?.content?.items.length
      expect(text).toContain(`[${missing} messages could not be summarized]`)
      expect(done).toMatchObject({ ok: true })
      const ledger = done.ok ? JSON.stringify(done.document.ledger) : ''
      expect(ledger).toContain(`message ${requests[1]?.content?.items[0]?.item.entry.seq} `)
    })

    it('OPEN-21 if all chunks fail, the compaction fails, and is not tried a third time', async () => {
      const { done, chunks, requests } = await summarize(() => '')
      expect(done).toMatchObject({ ok: false, isFinal: true })
      expect(chunks).toBeGreaterThan(2)
      expect(requests).toHaveLength(2 * chunks)
    })

    it('OPEN-21 a model that cannot be reached is not asked for every chunk', async () => {
      const { done, requests, text } = await summarize(() => new Error('overloaded'))
      expect(done).toMatchObject({ ok: false, isFinal: true })
      expect(text).toBe('overloaded')
      expect(requests).toHaveLength(2)
    })

    it('ONE-21 OPEN-21 a chunk’s short reply becomes a note only where no summary by rules could be had', async () => {
      const short = 'All tests pass, credo is clean.'
      const script = (chunk: number) => (chunk === 1 ? short : note(chunk))
      const byRules = await summarize(script)
      expect(byRules.text).not.toContain(short)
      expect(byRules.text).toContain('messages could not be summarized]')
      const trimming = { ...policy, compaction: { ...policy.compaction, fallback: 'trim-oldest' } } as const
      const kept = await summarize(script, trimming)
      expect(kept.text).toContain(short)
      expect(kept.requests).toHaveLength(kept.chunks + 1)
    })
  })

  it('LH-04 what the summary shows stays within its share of the window', async () => {
    const session = await workThrough(undefined, 60)
    for (const { document, tokensAfter } of compactions(session)) {
      expect(document.budgets).toEqual({ documentTokens: 640, ledgerTokens: 2_400, estimator: 'classes' })
      expect(tokensAfter).toBeLessThan(16_000 * 0.6)
    }
  })

  it('a secret that was said is in no summary', async () => {
    const session = driveSession({ policy: PRESETS.longhaul, windowTokens: 16_000 })
    const text = 'Always use the key sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789 for the staging server.'
    session.append({ type: 'message', role: 'user', parts: [{ type: 'text', text }] })
    for (let round = 1; round < 20; round += 1) {
      work(session, round)
      await session.maintain('after-response')
    }
    expect(compactions(session).length).toBeGreaterThan(0)
    expect(JSON.stringify(compactions(session))).not.toContain('AbCdEfGhIjKlMnOpQrStUvWxYz')
  })
})
