import { sessionEventSchema } from '@longhaul/protocol'
import type { ErrorCode, SessionEvent } from '@longhaul/protocol'
import type { AgentErrorCode, AgentEvent } from '@longhaul/runtime'
import { expect, expectTypeOf, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

it('the agent says nothing that the protocol does not know, and the protocol promises nothing that is never said', () => {
  expectTypeOf<AgentEvent['type']>().toEqualTypeOf<SessionEvent['type']>()
  expectTypeOf<AgentEvent>().toExtend<SessionEvent>()
  expectTypeOf<AgentErrorCode>().toExtend<ErrorCode>()
})

it('what is told of a turn with compaction and tools is as the protocol has it', async () => {
  const app = await startApp({ model: 'offline/extractive' })
  const { id } = (await (await app.request('POST', '/api/sessions/sample')).json()) as { id: string }
  const events = await app.say(id, 'What is the rule about mail?')
  expect(events.map(({ type }) => type)).toContain('compact-completed')
  for (const event of events) expect(sessionEventSchema.parse(event)).toEqual(event)
})
