import { expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'
import { askOwner } from './ask-owner.ts'

it('what has to wait for a turn is stored, done after it, and no error meanwhile', async () => {
  const answer = Promise.withResolvers<string>()
  const app = await startApp({ script: () => answer.promise })
  const { id } = await app.createSession()
  const path = `/api/sessions/${id}/messages`
  await app.request('POST', path, { text: 'Hello', id: 'm1' }, { accept: 'application/json' })
  const { signal } = new AbortController()
  const wish = { sessionId: id, kind: 'settings', payload: { title: 'Later' }, signal, id: 'wish-1' } as const
  expect(await askOwner(app.runtime, { ...wish, timeoutMs: 50 })).toMatchObject({
    isDone: false,
    stored: { id: 'wish-1' },
  })
  answer.resolve('Done.')
  expect(await askOwner(app.runtime, wish)).toMatchObject({ isDone: true })
  expect((await app.runtime.store.sessions.get(id))?.title).toBe('Later')
})
