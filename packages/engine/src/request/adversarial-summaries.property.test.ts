import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRESETS } from '../policy/presets.ts'
import { renderSummary } from '../summary/render-summary.ts'
import { INVENTED, MISBEHAVIOURS, createAdversary } from '../testing/adversarial-summariser.ts'
import type { Misbehaviour } from '../testing/adversarial-summariser.ts'
import { driveSession } from '../testing/drive-session.ts'
import type { DrivenSession } from '../testing/drive-session.ts'
import { findInvalid } from '../testing/find-invalid.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { CompactionEntry } from '../transcript/entry.ts'
import type { Part } from '../transcript/message.ts'
import type { SummaryDocument, SummaryItem } from '../transcript/summary-document.ts'
import { findCulprit } from './plan/find-culprit.ts'

interface Step {
  readonly tool: 'read' | 'edit' | 'write' | 'bash'
  readonly file: string
  readonly resultChars: number
}

interface Turn {
  readonly ask: string
  readonly steps: readonly Step[]
  readonly isAnswered: boolean
  readonly pin: string | null
  readonly after: 'go on' | 'compact' | 'idle'
}

const policy = PRESETS.longhaul
const WINDOWS = [8_000, 16_000, 32_000] as const
const FILES = Array.from({ length: 12 }, (_, index) => `src/${['store', 'view', 'net'][index % 3]}/part${index}.ts`)

const step: fc.Arbitrary<Step> = fc.record({
  tool: fc.constantFrom('read' as const, 'edit' as const, 'write' as const, 'bash' as const),
  file: fc.constantFrom(...FILES),
  resultChars: fc.oneof(fc.nat({ max: 400 }), fc.nat({ max: 12_000 })),
})

const turn: fc.Arbitrary<Turn> = fc.record({
  ask: fc
    .tuple(fc.nat(), fc.lorem({ maxCount: 30 }))
    .map(([mark, text]) => `Ask ${mark}: ${text} Keep "${mark}" in mind.`),
  steps: fc.array(step, { maxLength: 8 }),
  isAnswered: fc.boolean(),
  pin: fc.option(fc.lorem({ maxCount: 6 }), { freq: 8 }),
  after: fc.constantFrom('go on' as const, 'compact' as const, 'compact' as const, 'idle' as const),
})

describe('a session whose summariser cannot be trusted', () => {
  it.each(MISBEHAVIOURS)('LH-04 ONE-12 ONE-14 MICRO-05 keeps what it promises with one that is %s', (kind) =>
    expectKept([kind], 15),
  )

  it('LH-04 ONE-12 ONE-14 MICRO-05 keeps what it promises whatever comes in turn', () =>
    expectKept(fc.array(fc.constantFrom(...MISBEHAVIOURS), { minLength: 2, maxLength: 8 }), 60))
})

async function expectKept(
  kinds: readonly Misbehaviour[] | fc.Arbitrary<Misbehaviour[]>,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 2, maxLength: 9, size: 'max' }),
      fc.constantFrom(...WINDOWS),
      'generate' in kinds ? kinds : fc.constant(kinds),
      async (turns, windowTokens, script) => {
        const adversary = createAdversary(script)
        const session = driveSession({ policy, windowTokens, ask: adversary.ask })
        const said = { asks: [] as string[], changed: new Set<string>(), pins: [] as string[] }
        for (const each of turns) {
          const before = session.state().document
          await play(session, each, said)
          if (findCulprit(session.context()) !== null) return
          checkRequest(session, said)
          // A summary may have been made ahead, some turns before it was put in place.
          checkDocument(session, before, adversary.replies)
        }
        checkCompactions(session)
      },
    ),
    { numRuns, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: false },
  )
}

type Said = { readonly asks: string[]; readonly changed: Set<string>; readonly pins: string[] }

async function play(session: DrivenSession, { ask, steps, isAnswered, pin, after }: Turn, said: Said): Promise<void> {
  if (pin !== null) {
    session.append({ type: 'pin', text: pin })
    said.pins.push(pin)
  }
  session.append({ type: 'message', role: 'user', parts: [{ type: 'text', text: ask }] })
  said.asks.push(ask)
  await session.maintain('before-turn')
  for (const [index, { tool, file, resultChars }] of steps.entries()) {
    const toolCallId = `c${said.asks.length}-${index}`
    const input = tool === 'bash' ? { command: `npm test -- ${file}` } : { path: file, content: 'x = 1' }
    const call: Part = {
      type: 'tool-call',
      toolCallId,
      toolName: tool,
      input: tool === 'read' ? { path: file } : input,
    }
    session.append({ type: 'message', role: 'assistant', parts: [call] })
    const result: Part = {
      type: 'tool-result',
      toolCallId,
      toolName: tool,
      output: 'line of output\n'.repeat(Math.ceil(resultChars / 15)),
    }
    session.append({ type: 'message', role: 'tool', parts: [result] })
    if (tool === 'edit' || tool === 'write') said.changed.add(file)
    await session.maintain('before-step')
    checkRequest(session, said)
  }
  if (isAnswered) {
    session.append({ type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'Done with that.' }] })
    await session.maintain('after-response')
  }
  if (after === 'compact') await session.compact()
  if (after === 'idle') session.wait(3_600_000)
}

/** Asks, pins and files changed are in the request, the invented words are not, and a provider would take it. */
function checkRequest(session: DrivenSession, { asks, changed, pins }: Said): void {
  const sealed = session.seal()
  expect(findInvalid(sealed)).toEqual([])
  expect(sealed.fits).toBe(true)
  const text = [sealed.system ?? '', ...sealed.messages.flatMap(({ parts }) => parts.map(textOf))].join('\n')
  expect(text).toContain(asks[0])
  expect(text).toContain(asks.at(-1))
  for (const pin of pins) expect(text).toContain(pin)
  for (const file of changed) expect(text).toContain(file.slice(file.lastIndexOf('/') + 1))
  expect(text).not.toContain(INVENTED)
}

function textOf(part: Part): string {
  if (part.type === 'text') return part.text
  return part.type === 'tool-call' ? JSON.stringify(part.input) : ''
}

/** What no reply named is byte for byte as it was, or old prose that came down to sentences of its own; what is new is what a reply says, or the conversation itself. */
function checkDocument(session: DrivenSession, before: SummaryDocument | null, replies: readonly string[]): void {
  const { document } = session.state()
  if (document === null || document === before) return
  const earlier = new Map(itemsOf(before).map((item) => [item.id, item]))
  const told = replies.map(squash).join('\n')
  for (const item of itemsOf(document)) {
    const known = earlier.get(item.id)
    if (known === undefined || known.text === item.text || isCondensed(known, item)) continue
    expect(told).toContain(squash(item.text))
  }
  expect(new Set(itemsOf(document).map(({ id }) => id)).size).toBe(itemsOf(document).length)
  const { documentTokens, ledgerTokens, estimator } = document.budgets ?? {
    documentTokens: 0,
    ledgerTokens: 0,
    estimator: 'classes',
  }
  expect(estimateField(renderSummary(document), estimator)).toBeLessThanOrEqual(
    documentTokens + ledgerTokens + NOTICE_TOKENS,
  )
}

/** Some of its sentences or lines, whole, and nothing else. */
function isCondensed(known: SummaryItem, { text, status }: SummaryItem): boolean {
  const own = splitSentences(known.text)
  // A line may have lost the bullet before it.
  const isOwn = (sentence: string): boolean => own.some((each) => each.endsWith(sentence))
  const kept = splitSentences(text)
  return status === 'done' && kept.length > 0 && text.length < known.text.length && kept.every(isOwn)
}

function splitSentences(text: string): readonly string[] {
  return text
    .split(/\n|; |(?<=[.!?]) /)
    .map(squash)
    .filter((each) => each !== '')
}

/** The line that says how many points are not shown. */
const NOTICE_TOKENS = 24

function checkCompactions({ entries }: DrivenSession): void {
  const compactions = entries.filter((entry): entry is CompactionEntry => entry.type === 'compaction')
  for (const { tokensBefore, tokensAfter, score } of compactions) {
    expect(tokensAfter).toBeLessThan(tokensBefore)
    expect(score).toBeGreaterThanOrEqual(0)
    expect(score).toBeLessThanOrEqual(1)
  }
}

function itemsOf(document: SummaryDocument | null): readonly SummaryItem[] {
  return document?.sections.flatMap(({ items }) => items) ?? []
}

/** Citations are kept apart from the words they stand behind. */
function squash(text: string): string {
  return text
    .replace(/[\s"“”„«»'‘’]+|\(#[\d,# ]+\)/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}
