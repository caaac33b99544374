import { expect, it } from 'vitest'
import { createClient } from './create-client.ts'

function answering(status: number, body: unknown) {
  return createClient({ baseUrl: 'http://localhost', fetch: async () => Response.json(body, { status }) })
}

it('what was only stored is no answer, and nothing to send again', async () => {
  const client = answering(202, { id: 'r1' })
  const asked = [
    client.addPin('s', 'Metric units'),
    client.removePin('s', 'p'),
    client.undo('s'),
    client.reset('s'),
    client.compact('s'),
    client.changeSession('s', { title: 'Roses' }),
  ]
  for (const answer of asked)
    await expect(answer).rejects.toMatchObject({ code: 'busy', status: 202, retryable: false })
})

it('a message that was stored is accepted', async () => {
  expect(await answering(202, { id: 'm1', turnId: 'm1' }).sendMessage('s', { text: 'Hello' })).toEqual({
    id: 'm1',
    turnId: 'm1',
  })
})
