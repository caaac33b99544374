import { foldEntries } from '@longhaul/engine/advanced'
import type { JsonObject } from '@longhaul/engine/advanced'
import { createInMemoryStore, verifyStore } from '@longhaul/store'
import type { DumpRecord, Store, StoredEvent } from '@longhaul/store/port'
import type { Tool } from '@longhaul/tools/port'
import { describe, expect, it } from 'vitest'
import { createMortalStore } from '../testing/create-mortal-store.ts'
import type { Death, MortalStore } from '../testing/create-mortal-store.ts'
import { messagesOf, startAgent, textOf } from '../testing/start-agent.ts'
import type { AgentUnderTest } from '../testing/start-agent.ts'
import { waitUntil } from '../testing/wait-for.ts'

const SESSION = 'harbour'
const TURNS = 15
const FILLER = 'The ferry left the harbour in the rain, late at night. '.repeat(25)

type Timing = 'beside' | 'before-call'

interface Ran {
  readonly calls: string[]
}

/** Counts how often each call is run: a second time would be a second letter sent. */
function createMailTool({ calls }: Ran): Tool {
  return {
    name: 'send_letter',
    description: 'Sends a letter.',
    inputSchema: { type: 'object' },
    permit: () => ({ verdict: 'allow' }),
    async run(_input, { toolCallId }) {
      calls.push(toolCallId)
      return { output: 'The letter is on its way.' }
    },
  }
}

function start(store: Store, ran: Ran, timing: Timing): AgentUnderTest {
  return startAgent({
    store,
    policy: { compaction: { timing } },
    ownTools: [createMailTool(ran)],
    windowTokens: 6_000,
    script: ({ prompt, tools = [] }) => {
      if (tools.length === 0) return '<summary>\n+ Goal: keep the ferry going\n</summary>'
      const last = prompt.at(-1)
      const asked = JSON.stringify(last)
      if (asked.includes('housekeeping')) return { toolCalls: [{ name: 'save_memory', input: { text: 'Ferry.' } }] }
      if (asked.includes('save_memory')) return 'NO_REPLY'
      if (asked.includes('Send the letter')) return { toolCalls: [{ id: 'letter', name: 'send_letter', input: {} }] }
      return last?.role === 'tool' ? 'It is sent.' : 'Noted.'
    },
  })
}

/** A session so full that the next turn saves memory and compacts before it can be answered. */
async function fillSession(timing: Timing): Promise<readonly DumpRecord[]> {
  const store = createInMemoryStore()
  const under = start(store, { calls: [] }, timing)
  await under.agent.createSession({ id: SESSION, title: 'named' })
  // Not by the agent's own rules, which would compact in time.
  const policy = { compaction: { enabled: false, memoryFlush: { enabled: false } } }
  await under.agent.request(SESSION, 'settings', { policy })
  for (let turn = 1; turn <= TURNS; turn += 1) await under.say(SESSION, `Message ${turn}. ${FILLER}`)
  const back = { compaction: { enabled: true, memoryFlush: { enabled: true } } }
  await under.agent.request(SESSION, 'settings', { policy: back })
  await under.agent.close()
  const records = await Array.fromAsync(store.dump())
  await store.close()
  return records
}

async function* each(records: readonly DumpRecord[]): AsyncGenerator<DumpRecord> {
  yield* records
}

interface Aftermath {
  readonly mortal: MortalStore
  readonly store: Store
  readonly ran: Ran
}

/** One process takes the message and dies; another one, later, gets it again from a client that heard nothing. */
async function dieAndGoOn(records: readonly DumpRecord[], death: Death | null, timing: Timing): Promise<Aftermath> {
  let now = Date.now()
  const store = createInMemoryStore({ clock: () => now })
  await store.load(each(records))
  const ran: Ran = { calls: [] }
  const mortal = createMortalStore(store, death)
  const first = start(mortal.store, ran, timing)
  const message = { id: 'm1', text: 'Send the letter.' }
  await first.agent.send(SESSION, message).catch(() => undefined)
  await Promise.race([mortal.died, waitUntil(store, () => isAnswered(store))])
  await first.agent.close()

  now += store.leases.ttlMs + 1
  const second = start(store, ran, timing)
  await second.agent.send(SESSION, message)
  await waitUntil(store, () => isAnswered(store))
  const after = await second.say(SESSION, 'Are you still there?')
  expect(after.map(({ type }) => type)).toContain('response-complete')
  await second.agent.close()
  return { mortal, store, ran }
}

async function isAnswered(store: Store): Promise<boolean> {
  if ((await store.inbox.list(SESSION)).length > 0) return false
  const messages = messagesOf(await store.entries.read(SESSION, { limit: 30, fromEnd: true }))
  const last = messages.at(-1)
  const isOver = last?.role === 'assistant' && last.parts.every(({ type }) => type !== 'tool-call')
  return isOver && messages.some(({ id }) => id === 'm1')
}

/** Of the message that was being answered, and of what was done meanwhile. */
function describeEvents(stored: readonly StoredEvent[]): object {
  const events = stored.map(({ event }) => event)
  const count = (type: string): number =>
    events.filter((event) => event['turnId'] === 'm1' && event['type'] === type).length
  return {
    flushes: findPairs(events, 'flush'),
    compactions: findPairs(events, 'compact'),
    answers: count('response-complete'),
    ends: count('done'),
  }
}

function findPairs(events: readonly JsonObject[], name: string): string {
  const told = events.flatMap(({ type }) => (String(type).startsWith(`${name}-`) ? [String(type)] : []))
  const isPaired = told.every((type, index) => type === `${name}-${index % 2 === 0 ? 'started' : 'completed'}`)
  return isPaired && told.length % 2 === 0 ? 'paired' : told.join(', ')
}

describe('a process that is killed', () => {
  it.each<[Timing, number]>([
    ['beside', 2],
    ['before-call', 4],
  ])(
    'ONE-03 at any write of a turn with tools, a flush and a compaction (%s): nothing is lost, nothing is done twice',
    async (timing, notes) => {
      const records = await fillSession(timing)
      const { mortal } = await dieAndGoOn(records, null, timing)
      const { writes } = mortal
      expect(writes).toContain('entries.append')
      expect(writes.filter((name) => name === 'leases.setWork').length).toBeGreaterThanOrEqual(notes)

      for (const [atWrite, name] of writes.entries()) {
        // Whether an event, a manifest or a calibration was stored makes no difference to anybody.
        const isTelling = /^(?:inbox|entries|leases|memory)\./.test(name)
        for (const isStored of isTelling ? [false, true] : [false]) {
          const { store, ran } = await dieAndGoOn(records, { atWrite, isStored }, timing)
          const entries = await store.entries.read(SESSION, {})
          const messages = messagesOf(entries)
          const { head } = foldEntries(entries)
          expect({
            death: `${name} (${atWrite}), ${isStored ? 'stored' : 'not stored'}`,
            said: messages.filter(({ role }) => role === 'user').map(textOf),
            wasSentTwice: ran.calls.length > 1,
            calls: messages.filter(({ parts }) => parts.some(({ type }) => type === 'tool-call')).length,
            wasCompactionTried: head.compactionCount + head.compactionFailures > 0,
            problems: (await verifyStore(store)).problems,
            told: describeEvents(await store.events.read(SESSION, 0, 10_000)),
          }).toEqual({
            death: expect.any(String),
            said: [
              ...Array.from({ length: TURNS }, (_, turn) => `Message ${turn + 1}. ${FILLER}`),
              'Send the letter.',
              'Are you still there?',
            ],
            wasSentTwice: false,
            calls: 1,
            wasCompactionTried: true,
            problems: [],
            told: { flushes: 'paired', compactions: 'paired', answers: 1, ends: 1 },
          })
          await store.close()
        }
      }
    },
  )
})
