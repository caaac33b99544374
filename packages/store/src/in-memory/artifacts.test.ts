import { expect, it } from 'vitest'
import { createInMemoryArtifacts } from './artifacts.ts'
import { createWatchers } from '../follow/watchers.ts'
import { createContent, createSessionRow } from './data.ts'
import { createInMemorySessions } from './sessions.ts'

it('a content is held once and as long as a session holds it', async () => {
  const content = createContent()
  const data = { content, clock: () => 0, changes: createWatchers() }
  for (const id of ['s1', 's2']) content.sessions.set(id, createSessionRow({ id, createdAt: 0 }))
  const artifacts = createInMemoryArtifacts(data)
  await artifacts.put({ sessionId: 's1', at: 1, content: 'shared' })
  await artifacts.put({ sessionId: 's2', at: 2, content: 'shared' })
  expect(content.artifactContents.size).toBe(1)
  await artifacts.deleteBefore(2)
  expect(content.artifactContents.size).toBe(1)
  await createInMemorySessions(data).purge('s2')
  expect(content.artifactContents.size).toBe(0)
})
