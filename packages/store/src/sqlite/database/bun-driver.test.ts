import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { describeWithHost } from '../../../../../test/hosts/describe-with-host.ts'
import { installHost } from '../../../../../test/hosts/install-host.ts'

const PROGRAM = join(import.meta.dirname, '../testing/bun-conformance.ts')
/** The Bun that opencode 1.18 embeds. Newer ones have Node's driver. */
const BUN = 'bun@1.3.14'

interface Outcome {
  readonly total: number
  readonly failed: readonly { readonly title: string; readonly why: string }[]
}

async function installBun(): Promise<string> {
  const folder = join(await installHost({ name: 'bun', packages: [BUN] }), 'node_modules/@oven')
  const [platform] = (await readdir(folder)).toSorted()
  return join(folder, platform ?? '', 'bin/bun')
}

describeWithHost('SQLite in a Bun without node:sqlite', installBun, (bun) => {
  it('keeps the promises of the port', { timeout: 300_000 }, async () => {
    const { stdout } = await promisify(execFile)(bun, [PROGRAM])
    const { total, failed } = JSON.parse(stdout) as Outcome
    expect(total).toBeGreaterThan(200)
    // Bun takes the first character of that title for a byte order mark.
    const others = failed.filter(({ title }) => !title.includes('noncharacters'))
    expect(others).toEqual([])
  })
})
