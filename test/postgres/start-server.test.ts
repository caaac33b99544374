import { expect, it } from 'vitest'
import { describeWithPostgres } from './describe-with-postgres.ts'

describeWithPostgres('x', (db) => {
  it('works', async () => {
    expect(await db.query('select version() v, current_setting($1) f', ['fsync'])).toEqual([])
  })
})
