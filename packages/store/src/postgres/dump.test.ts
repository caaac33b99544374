import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../test/postgres/describe-with-postgres.ts'
import { openTestStore } from '../../../../test/postgres/open-test-store.ts'
import { START_AT, user } from '../testing/build-entries.ts'
import { readDump } from '../testing/expectations.ts'
import { createSession } from '../testing/session-writer.ts'

describeWithPostgres('a dump of PostgreSQL', (database) => {
  it('LH-02 makes nothing up for an artifact whose content is lost or damaged; a check names it', async () => {
    const { store, schema } = await openTestStore(database)
    await createSession(store, 's1', user('hello'))
    for (const id of ['kept', 'lost', 'damaged']) {
      await store.artifacts.put({ sessionId: 's1', id, at: START_AT, content: `content of ${id}` })
    }
    const isOf = (id: string) => `sha256 = (select sha256 from ${schema}.artifacts where id = '${id}')`
    await database.query(`
      update ${schema}.artifact_contents set content = 'something else' where ${isOf('damaged')};
      alter table ${schema}.artifacts drop constraint artifact_content_held;
      delete from ${schema}.artifact_contents where ${isOf('lost')};
    `)
    const artifacts = (await readDump(store)).filter((record) => record.type === 'artifact')
    expect(artifacts).toEqual([
      { type: 'artifact', sessionId: 's1', id: 'kept', at: START_AT, content: 'content of kept' },
    ])
    const missing = (await store.check()).map(({ sessionId, what }) => `${sessionId}: ${what}`)
    expect(missing).toEqual([
      expect.stringMatching(/^s1: The content of artifact damaged/),
      expect.stringMatching(/^s1: The content of artifact lost/),
    ])
  })
})
