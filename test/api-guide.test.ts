import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createRuntime, loadConfig } from '@longhaul/runtime'
import { startServer } from '@longhaul/server'
import { expect, it, onTestFinished } from 'vitest'

const PAGE = new URL('../docs/guide/16-api.md', import.meta.url)
const ADDRESS = 'http://127.0.0.1:4747'
/** Whatever the server refuses ends the script, with its words. */
const STRICT = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'

async function hasCurl(): Promise<boolean> {
  return promisify(execFile)('curl', ['--version']).then(
    () => true,
    () => false,
  )
}

it('every line of the guide to the API works as it stands there', async ({ skip }) => {
  if (!(await hasCurl())) skip('needs curl and a shell')
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-guide-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const config = await loadConfig({
    environment: { LONGHAUL_DATA: folder, PATH: process.env['PATH'] },
    homeFolder: folder,
    readFile: () => Promise.resolve('{}'),
  })
  const server = await startServer({ runtime: (parts) => createRuntime(config, parts), port: 0, graceMs: 0 })
  onTestFinished(() => server.close())
  const page = await readFile(PAGE, 'utf8')
  const blocks = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(5)
  const script = STRICT + blocks.join('\n').replaceAll(ADDRESS, server.url)
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, maxBuffer: 50_000_000 })
  expect(stdout).toContain('"type":"compact-completed"')
  expect(stdout).toContain('"undone"')
  expect(stdout).toContain('"type":"text-delta"')
  expect(stdout).not.toContain('"error"')
})
