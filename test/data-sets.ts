import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { leaveOut } from './left-out.ts'

const folder = process.env['LONGHAUL_DATA_SETS'] ?? join(import.meta.dirname, '../../shared/data')

/**
 * Declares tests that read a real conversation, which does not come with the repository: `name` is its path inside the
 * folder of data sets. Where it is missing the tests are left out, and the end of the report says so.
 */
export function describeWithDataSet(title: string, name: string, body: (path: string) => void): void {
  const path = join(folder, name)
  if (!existsSync(path)) {
    leaveOut(title, 'needs real conversations; set LONGHAUL_DATA_SETS to the folder that holds them')
    return
  }
  describe(title, () => {
    body(path)
  })
}
