import type { Compaction, Message, SessionEvent } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { EMPTY_CONVERSATION } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import { isAnswerUnderWay, listRecentRows, listSettledRows } from './list-rows.ts'
import { reduceConversation } from './reduce-conversation.ts'
import type { Row } from './row.ts'

describe('the rows of a conversation', () => {
  it('a compaction stands where it happened', () => {
    const conversation = open([user('m1', 10), answer('a1', 20), user('m2', 30), answer('a2', 50)], {
      compactions: [compaction('c1', 25), compaction('c2', 40), compaction('c3', 60)],
    })
    expect(keysOf(conversation)).toEqual(['m1', 'm1-0', 'c1', 'm2', 'c2', 'm2-0', 'c3'])
  })

  it('compactions of what is not loaded yet wait for it', () => {
    const conversation = open([user('m2', 30), answer('a2', 50)], {
      compactions: [compaction('c1', 25)],
      hasOlder: true,
    })
    expect(keysOf(conversation)).toEqual(['m2', 'm2-0'])
  })

  it('a command’s card stays behind the turn it came after', () => {
    let conversation = open([user('m1', 10), answer('a1', 20)])
    conversation = reduceConversation(conversation, { type: 'command-started', id: 'card', line: '/status' })
    conversation = reduceConversation(conversation, {
      type: 'newer-loaded',
      items: [user('m2', 30), answer('a2', 40)].map((message, index) => ({ ...message, seq: 3 + index })),
      asOfEvent: 0,
    })
    expect(keysOf(conversation)).toEqual(['m1', 'm1-0', 'card', 'm2', 'm2-0'])
  })

  it('a step keeps its key when it is stored', () => {
    const live = hear(open([user('m1', 10)]), [{ type: 'text-delta', text: 'Hello' }])
    const stored = reduceConversation(live, {
      type: 'newer-loaded',
      items: [{ ...answer('a1', 20), seq: 2 }],
      asOfEvent: 1,
    })
    expect(keysOf(live)).toEqual(['m1', 'm1-0'])
    expect(keysOf(stored)).toEqual(['m1', 'm1-0'])
  })
})

describe('an answer that failed', () => {
  const failure = { code: 'provider-auth', message: 'invalid x-api-key' } as const
  const failed: Message = { ...answer('a1', 20), parts: [], finish: 'error', failure }

  it('had lost its reason after a reload: history tells it too, also of a turn that was followed', () => {
    const told = { kind: 'failure', key: 'a1-failure', failure }
    expect(rowsOf(open([user('m1', 10), failed])).at(-1)).toEqual(told)
    expect(rowsOf(open([user('m1', 10), failed, user('m2', 30)]))[2]).toEqual(told)
  })

  it('tells its reason once, where it stood when it was heard', () => {
    const heard = hear(open([user('m1', 10)]), [{ type: 'error', ...failure }])
    const stored = reduceConversation(heard, { type: 'newer-loaded', items: [{ ...failed, seq: 2 }], asOfEvent: 1 })
    expect(keysOf(heard)).toEqual(['m1', 'event-1'])
    expect(keysOf(stored)).toEqual(['m1', 'm1-0', 'event-1'])
  })
})

describe('a store that takes nothing', () => {
  const full = {
    type: 'error',
    code: 'store-unavailable',
    message: 'The disk of the store is full.',
    turnId: null,
  } as const

  it('18.14 is told behind the message that waits, under the number of the last event, and the answer follows', () => {
    const asked = hear(open([user('m1', 10)]), [{ type: 'text-delta', text: 'Hel' }])
    // As the client tells it: a number that comes again means that events begin anew behind the one before it.
    const rewound = reduceConversation(asked, { type: 'stream-started', after: 0 })
    const told = reduceConversation(rewound, { type: 'event', numbered: { id: '1', event: full } })
    expect(keysOf(told)).toEqual(['m1', 'event-1'])
    const next = { type: 'text-delta', text: 'Hello', turnId: 'm1' } as const
    const answered = reduceConversation(told, { type: 'event', numbered: { id: '2', event: next } })
    expect(keysOf(answered)).toEqual(expect.arrayContaining(['m1', 'm1-0', 'event-1']))
  })
})

describe('the state of a call', () => {
  const call = { type: 'tool-call', id: 'c1', name: 'run', input: { command: 'ls' } } as const
  const asking = {
    type: 'approval-needed',
    id: 'c1',
    name: 'run',
    input: {},
    reason: 'It runs a command.',
    display: 'run (It runs a command.)',
  } as const
  const settled = { type: 'approval-settled', id: 'c1', name: 'run', allow: true, by: 'person' } as const
  const result = {
    type: 'tool-result',
    id: 'c1',
    name: 'run',
    output: 'a.ts',
    truncated: false,
    isError: false,
  } as const

  it.each([
    ['running', [call]],
    ['asking', [call, asking]],
    ['running', [call, asking, settled]],
    ['done', [call, asking, settled, result]],
    ['failed', [call, { ...result, isError: true }]],
  ] as const)('is %s after its events', (state, events) => {
    expect(callIn(hear(open([user('m1', 10)]), events))).toMatchObject({ state })
  })

  it('is lost when its turn ended without a result', () => {
    const conversation = open([user('m1', 10), calling('a1', 20), answer('a2', 30)])
    expect(callIn(conversation)).toMatchObject({ state: 'lost' })
  })

  it('an output that was shortened leads to the whole of it once it is stored', () => {
    const stored: Message = {
      ...user('t1', 30),
      role: 'tool',
      parts: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'run', output: 'cut', artifactId: 'whole' }],
    }
    const live = hear(open([user('m1', 10), calling('a1', 20)]), [{ ...result, truncated: true }])
    expect(live.isStale).toBe(true)
    expect(callIn(live)?.result).toMatchObject({ isTruncated: true, artifactId: null })
    const synced = reduceConversation(live, { type: 'newer-loaded', items: [{ ...stored, seq: 3 }], asOfEvent: 1 })
    expect(callIn(synced)?.result).toMatchObject({ isTruncated: true, artifactId: 'whole' })
  })
})

describe('while an answer is under way', () => {
  it('something says so until text grows or a call runs', () => {
    const owed: Message = { ...user('m1', 10), owed: true }
    const asked = open([owed])
    expect(isAnswerUnderWay(asked)).toBe(true)
    expect(kindsOf(asked)).toEqual(['asked', 'working'])
    expect(kindsOf(hear(asked, [{ type: 'text-delta', text: 'Hm' }]))).toEqual(['asked', 'answer'])
    expect(kindsOf(open([owed, calling('a1', 20)]))).toEqual(['asked', 'answer'])
    expect(isAnswerUnderWay(open([owed, answer('a1', 20)]))).toBe(false)
  })

  it('a question that was imported keeps nobody busy', () => {
    const imported = open([user('m1', 10)])
    expect(isAnswerUnderWay(imported)).toBe(false)
    expect(kindsOf(imported)).toEqual(['asked'])
  })

  it('the next message is taken once the reply is durable, whatever follows it', () => {
    const replied = hear(open([user('m1', 10)]), [
      { type: 'text-delta', text: 'Hello' },
      { type: 'response-complete', id: 'a1', text: 'Hello' },
      { type: 'compact-started', reason: 'threshold', tokens: 9, threshold: 8 },
    ])
    expect(isAnswerUnderWay(replied)).toBe(false)
    expect(replied.maintenance).toBe('compacting')
  })

  it('ONE-14 a trimmed history is told', () => {
    const message = 'Conversation history has been automatically trimmed'
    const trimmed = hear(open([user('m1', 10)]), [{ type: 'context-trimmed', message }])
    expect(trimmed.cards).toMatchObject([{ type: 'notice', text: message, turnId: 'm1' }])
  })

  it('OPEN-20 a window that is too small is told; that the context fills up is seen in the gauge', () => {
    const message = 'The context window is 16000 tokens; a larger model would keep more.'
    const small = hear(open([user('m1', 10)]), [{ type: 'context-warning', percent: 9, message }])
    expect(small.cards).toMatchObject([{ type: 'notice', text: message, turnId: 'm1' }])
    expect(hear(open([user('m1', 10)]), [{ type: 'context-warning', percent: 85 }]).cards).toEqual([])
  })

  it('an event type of a later version changes nothing', () => {
    const before = open([user('m1', 10)])
    const later = { type: 'moon-phase', turnId: 'm1' } as unknown as SessionEvent
    const after = reduceConversation(before, { type: 'event', numbered: { id: '1', event: later } })
    expect(after).toEqual({ ...before, lastEvent: 1, heard: 1 })
  })
})

type Told = SessionEvent extends infer Event ? (Event extends SessionEvent ? Omit<Event, 'turnId'> : never) : never

function hear(conversation: Conversation, events: readonly Told[]): Conversation {
  return events.reduce<Conversation>(
    (before, event, index) =>
      reduceConversation(before, {
        type: 'event',
        numbered: { id: String(index + 1), event: { ...event, turnId: 'm1' } },
      }),
    conversation,
  )
}

function open(messages: readonly Message[], more: Partial<Conversation> = {}): Conversation {
  const items = messages.map((message, index) => ({ ...message, seq: index + 1 }))
  const loaded = reduceConversation(EMPTY_CONVERSATION, { type: 'newer-loaded', items, asOfEvent: 0 })
  return { ...loaded, ...more }
}

function user(id: string, at: number): Message {
  return { type: 'message', seq: 0, id, at, role: 'user', parts: [{ type: 'text', text: id }] }
}

function answer(id: string, at: number): Message {
  return { ...user(id, at), role: 'assistant', finish: 'stop' }
}

function calling(id: string, at: number): Message {
  const parts: Message['parts'] = [{ type: 'tool-call', toolCallId: 'c1', toolName: 'run', input: { command: 'ls' } }]
  return { ...user(id, at), role: 'assistant', parts }
}

function compaction(id: string, at: number): Compaction {
  const numbers = { tokensBefore: 9, tokensAfter: 3, score: null, cost: null }
  const how = { strategy: 'extractive', model: null, fallback: 'extractive' } as const
  const texts = { reason: 'threshold', summary: '', items: [], ledger: [], coveredIds: [] }
  return { id, at, ...numbers, ...how, ...texts, undone: false }
}

function rowsOf(conversation: Conversation): readonly Row[] {
  return [...listSettledRows(conversation), ...listRecentRows(conversation)]
}

function keysOf(conversation: Conversation): readonly string[] {
  return rowsOf(conversation).map(({ key }) => key)
}

function kindsOf(conversation: Conversation): readonly string[] {
  return rowsOf(conversation).map(({ kind }) => kind)
}

function callIn(conversation: Conversation) {
  return rowsOf(conversation)
    .flatMap((row) => (row.kind === 'answer' ? row.parts : []))
    .find((part) => part.type === 'tool-call')
}
