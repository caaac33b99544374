import { createLearnt } from '@longhaul/engine/advanced'
import type { Store } from '../port/store.ts'
import { START_AT, assistant, compaction, settings, toolCall, toolResult, user } from './build-entries.ts'
import { createManifests } from './build-manifests.ts'
import { createSession, startSession } from './session-writer.ts'

/** Something of everything a store can hold, hidden and waiting things too. */
export async function fillStore(store: Store): Promise<void> {
  const writer = await startSession(
    store,
    'talk',
    settings({ title: 'Über 日本語' }),
    user('Where is the key?', 'ask-1'),
  )
  await writer.write([
    toolCall('read_file', { path: 'a\u2028b', ['__proto__']: 1 }),
    toolResult('half \ud83d of a character'),
  ])
  await writer.write([assistant('Under the mat.', { input: 30, output: 5, costUsd: 0.001 }), compaction(5)])
  await store.artifacts.put({ sessionId: 'talk', id: 'full', at: START_AT, content: 'the whole\r\nfile' })
  for (const { stored } of createManifests(3)) await store.requests.add('talk', stored)
  await store.requests.settle('talk', 2, { status: 'ok' })
  await putMessage(store, 'settled', 'done')
  await store.inbox.settle(writer.lease, ['settled'])
  await putMessage(store, 'waiting', 'still to come')
  await createSession(store, 'hidden', user('Forget it'))
  await store.sessions.setDeleted('hidden', START_AT + 5)
  await createSession(store, 'empty')
  await store.learned.setCalibration('p/m', 'classes', createLearnt())
  await store.learned.setWindow('p/m', { tokens: 8_192, at: START_AT })
  const document = { name: 'MEMORY.md', updatedAt: START_AT, text: '- Never on Fridays\n' }
  await store.memory.put(document, [{ kind: 'instruction', line: 1, text: 'Never on Fridays' }])
}

async function putMessage(store: Store, id: string, text: string): Promise<void> {
  await store.inbox.put({ sessionId: 'talk', id, at: START_AT, kind: 'message', payload: { text } })
}
