import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import { expect, it, onTestFinished } from 'vitest'
import { readStored } from '../../../test/hosts/read-stored.ts'

const program = new URL('testing/readme-example.ts', import.meta.url).pathname

it('shows a program that works', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const text = await readFile(program, 'utf8')
  expect(readme).toContain(text.replace("'../index.ts'", "'@longhaul/mastra'"))
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-readme-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const server = await startWireServer({ otherwise: { text: 'Water the beds.' } })
  onTestFinished(() => server.close())
  const env = { ...process.env, OPENAI_BASE_URL: server.baseURL, OPENAI_API_KEY: 'none' }
  const child = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (data: Buffer) => void (printed += data.toString()))
  child.stdin.end('What is to do?\nAnd then?\n')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(printed).toBe('Water the beds.\nWater the beds.\n')
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses'])
  expect(await readStored(join(folder, 'sessions.db'), 'mastra')).toMatchObject({
    said: ['What is to do?', 'And then?'],
  })
})
