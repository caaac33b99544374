import type { Message, SessionEvent } from '@longhaul/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY_CONVERSATION } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import { listRecentRows, listSettledRows } from './list-rows.ts'
import { reduceConversation } from './reduce-conversation.ts'
import type { Row } from './row.ts'
import { tellStory } from './testing/tell-story.ts'
import type { Deed, TurnPlan } from './testing/tell-story.ts'

const someTurns: fc.Arbitrary<readonly TurnPlan[]> = fc.array(
  fc.record({
    rounds: fc.array(fc.record({ texts: fc.nat(2), calls: fc.integer({ min: 1, max: 2 }) }), { maxLength: 2 }),
    texts: fc.integer({ min: 1, max: 3 }),
    end: fc.constantFrom('complete', 'complete', 'error', 'aborted'),
    isRetried: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
)

/** What a page does between two deeds of the server: hear on, ask for messages, or lose the connection. */
const someMoves = fc.array(
  fc.record({
    advance: fc.nat(6),
    move: fc.constantFrom('hear', 'hear', 'sync', 'ask', 'answer', 'reconnect', 'hear-again', 'lose-events'),
  }),
  { maxLength: 40 },
)

interface Page {
  conversation: Conversation
  /** How many deeds of the server have been heard of. */
  heard: number
  /** How many deeds there were when the server lost the events of all of them; their numbers begin again behind. */
  lost: number
  /** An answer that is under way: as the server was, and as the page was, when it was asked for. */
  asked: { readonly items: readonly Message[]; readonly asOfEvent: number } | null
}

describe('a conversation', () => {
  it('shows every word once, however events and pages are cut by lost connections', () => {
    fc.assert(
      fc.property(someTurns, someMoves, (turns, moves) => {
        const deeds = tellStory(turns)
        const page = openPage()
        load(page, deeds, 0)
        let now = 0
        for (const { advance, move } of moves) {
          now = Math.min(now + advance, deeds.length)
          play(page, deeds, now, move)
          expectEachOnce(page, deeds)
        }
        hear(page, deeds, deeds.length)
        load(page, deeds, deeds.length)
        expect(textsOf(page.conversation)).toEqual(textsOf(openAnew(deeds)))
        expect(page.conversation.turns).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('comes to the same state whatever was heard twice', () => {
    fc.assert(
      fc.property(someTurns, fc.array(fc.nat(40), { maxLength: 5 }), (turns, cuts) => {
        const deeds = tellStory(turns)
        const straight = openPage()
        hear(straight, deeds, deeds.length)
        const broken = openPage()
        for (const cut of cuts) {
          hear(broken, deeds, Math.min(cut, deeds.length))
          broken.heard = Math.max(0, broken.heard - 7)
        }
        hear(broken, deeds, deeds.length)
        expect(broken.conversation).toEqual(straight.conversation)
      }),
    )
  })
})

describe('the messages of a conversation', () => {
  const pageOf = (first: number, last: number): readonly Message[] =>
    Array.from({ length: last - first + 1 }, (_, index) => {
      const seq = first + index
      return { type: 'message', seq, id: `m${seq}`, at: seq, role: 'user', parts: [] }
    })
  const opened = reduceConversation(EMPTY_CONVERSATION, {
    type: 'newer-loaded',
    items: pageOf(11, 20),
    asOfEvent: 0,
    hasOlder: true,
  })

  it('have no gap when the newest page is loaded again after many more were said', () => {
    const [far, near] = [pageOf(51, 60), pageOf(15, 30)].map((items) =>
      reduceConversation(opened, { type: 'newer-loaded', items, asOfEvent: 0, hasOlder: true }),
    )
    expect(far).toMatchObject({ messages: pageOf(51, 60), hasOlder: true })
    expect(near?.messages).toEqual(pageOf(11, 30))
    // It was asked for when the older ones were still there.
    const late = { type: 'older-loaded', items: pageOf(1, 10), beforeSeq: 11, hasOlder: false } as const
    expect(far && reduceConversation(far, late)).toBe(far)
    expect(near && reduceConversation(near, late).messages).toEqual(pageOf(1, 30))
  })
})

describe('what this page sends', () => {
  const text = 'Hello there'

  function send(): Conversation {
    return reduceConversation(EMPTY_CONVERSATION, { type: 'message-sending', id: 'm1', text, attachments: [] })
  }

  it('is shown at once, and once only when it is stored', () => {
    let conversation = send()
    expect(textsOf(conversation)).toEqual([text])
    conversation = reduceConversation(conversation, {
      type: 'event',
      numbered: { id: '1', event: { type: 'message-stored', id: 'm1', turnId: 'm1' } },
    })
    const stored: Message = { type: 'message', seq: 1, id: 'm1', at: 1, role: 'user', parts: [{ type: 'text', text }] }
    conversation = reduceConversation(conversation, { type: 'newer-loaded', items: [stored], asOfEvent: 1 })
    expect(textsOf(conversation)).toEqual([text])
  })

  it('ONE-17 waits visibly, in order, while an answer is under way', () => {
    let conversation = send()
    conversation = reduceConversation(conversation, {
      type: 'event',
      numbered: { id: '1', event: { type: 'text-delta', text: 'Hm', turnId: 'm1' } },
    })
    for (const id of ['m2', 'm3'])
      conversation = reduceConversation(conversation, { type: 'message-sending', id, text: id, attachments: [] })
    expect(listRecentRows(conversation).map(({ kind }) => kind)).toEqual(['asked', 'answer', 'waiting', 'waiting'])
    expect(textsOf(conversation)).toEqual([text, 'Hm', 'm2', 'm3'])
  })

  it('stays, with the reason, when it was refused', () => {
    const refused = reduceConversation(send(), { type: 'message-refused', id: 'm1', problem: 'too large' })
    expect(refused.waiting).toMatchObject([{ id: 'm1', state: 'failed', problem: 'too large' }])
    expect(reduceConversation(refused, { type: 'message-discarded', id: 'm1' }).waiting).toEqual([])
  })
})

function play(page: Page, deeds: readonly Deed[], now: number, move: string): void {
  switch (move) {
    case 'hear':
      return hear(page, deeds, now)
    case 'sync':
      return load(page, deeds, now)
    case 'ask':
      page.asked = { items: storedBy(deeds, now), asOfEvent: page.conversation.heard }
      return
    case 'answer':
      if (page.asked !== null)
        page.conversation = reduceConversation(page.conversation, { type: 'newer-loaded', ...page.asked })
      page.asked = null
      return
    case 'reconnect':
      for (const isConnected of [false, true])
        page.conversation = reduceConversation(page.conversation, { type: 'connection', isConnected })
      return
    case 'lose-events':
      page.lost = now
      page.heard = now
      page.conversation = reduceConversation(page.conversation, { type: 'stream-started', after: 0 })
      return
    default:
      page.heard = Math.max(page.lost, page.heard - 9)
      return hear(page, deeds, now)
  }
}

function openPage(): Page {
  return { conversation: EMPTY_CONVERSATION, heard: 0, lost: 0, asked: null }
}

function hear(page: Page, deeds: readonly Deed[], until: number): void {
  const lostEvents = deeds.slice(0, page.lost).filter((deed) => 'tell' in deed).length
  for (const deed of deeds.slice(page.heard, until)) {
    if (!('tell' in deed)) continue
    const numbered = { ...deed.tell, id: String(Number(deed.tell.id) - lostEvents) }
    page.conversation = reduceConversation(page.conversation, { type: 'event', numbered })
  }
  page.heard = Math.max(page.heard, until)
}

function load(page: Page, deeds: readonly Deed[], now: number): void {
  page.conversation = reduceConversation(page.conversation, {
    type: 'newer-loaded',
    items: storedBy(deeds, now),
    asOfEvent: page.conversation.heard,
  })
}

function openAnew(deeds: readonly Deed[]): Conversation {
  const page = openPage()
  load(page, deeds, deeds.length)
  return page.conversation
}

function storedBy(deeds: readonly Deed[], now: number): readonly Message[] {
  return deeds.slice(0, now).flatMap((deed) => ('store' in deed ? [deed.store] : []))
}

function expectEachOnce({ conversation, heard, lost }: Page, deeds: readonly Deed[]): void {
  const rows = [...listSettledRows(conversation), ...listRecentRows(conversation)]
  const keys = rows.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  const shown = wordsIn(rows)
  expect(new Set(shown).size, `twice among ${shown.join(' ')}`).toBe(shown.length)
  // Of a turn that lost its beginning, what is not stored yet may be out of sight.
  const begun = deeds.findIndex((deed, index) => index >= lost && 'tell' in deed && isBeginning(deed.tell.event))
  const told = lost === 0 ? deeds.slice(0, heard) : deeds.slice(begun === -1 ? heard : begun, heard)
  const known = [...wordsIn(conversation.messages), ...heardWords(told)]
  expect(new Set(known).difference(new Set(shown)), 'not shown').toEqual(new Set())
}

function isBeginning({ type }: SessionEvent): boolean {
  return type === 'message-stored'
}

/** What events told, but for what a retry took back. */
function heardWords(deeds: readonly Deed[]): readonly string[] {
  let words: string[] = []
  let step: string[] = []
  for (const deed of deeds) {
    if (!('tell' in deed)) continue
    const { event } = deed.tell
    if (event.type === 'retry') step = []
    if (event.type === 'text-delta' || event.type === 'tool-call' || event.type === 'error')
      step.push(...wordsIn(event))
    if (event.type === 'tool-result' || event.type === 'done') {
      words = [...words, ...step, ...wordsIn(event)]
      step = []
    }
  }
  return [...words, ...step]
}

function wordsIn(value: unknown): readonly string[] {
  return JSON.stringify(value).match(/word\d+\./g) ?? []
}

function textsOf(conversation: Conversation): readonly string[] {
  return [...listSettledRows(conversation), ...listRecentRows(conversation)].flatMap(textOf)
}

function textOf(row: Row): readonly string[] {
  if (row.kind === 'asked') return [row.text]
  if (row.kind === 'waiting') return [row.message.text]
  if (row.kind === 'failure') return [row.failure.message]
  if (row.kind === 'card') return row.card.type === 'problem' ? [row.card.text] : []
  if (row.kind !== 'answer') return []
  return row.parts.map((part) => ('text' in part ? part.text : JSON.stringify(part)))
}
