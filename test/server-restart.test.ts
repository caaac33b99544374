import { createClient } from '@longhaul/protocol'
import type { NumberedEvent } from '@longhaul/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolder } from '../packages/server/src/testing/start-app.ts'
import { startSlowServer } from './server-processes/start-slow-server.ts'

describe('a client that follows a session while its server is started anew', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'sees every event once, after %s in the middle of a turn',
    async (signal) => {
      const folder = await createFolder()
      const first = await startSlowServer({ folder, port: 0, pieceMs: 150 })
      const client = createClient({ baseUrl: first.url })
      const { id: sessionId } = await client.createSession({ title: 'Named' })
      const leaving = new AbortController()
      onTestFinished(() => leaving.abort())

      const seen: NumberedEvent[] = []
      const middle = Promise.withResolvers<void>()
      const following = (async () => {
        for await (const numbered of client.follow(sessionId, { signal: leaving.signal, after: '0' })) {
          seen.push(numbered)
          if (numbered.event.type === 'text-delta') middle.resolve()
          if (numbered.event.type === 'done') return
        }
      })()
      await client.sendMessage(sessionId, { text: 'hello', id: 'm1' })
      await middle.promise
      await first.end(signal)
      await startSlowServer({ folder, port: Number(new URL(first.url).port), pieceMs: 5 })
      await following

      expect(seen.map(({ id }) => Number(id))).toEqual(seen.map((_, index) => index + 1))
      expect(seen.map(({ event }) => event)).toContainEqual(
        expect.objectContaining({ type: 'response-complete', turnId: 'm1', text: 'You said: hello. That is all.' }),
      )
      expect((await client.listMessages(sessionId)).items.map(({ role }) => role)).toEqual(['user', 'assistant'])
    },
  )
})
