import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCli } from '../../packages/cli/src/testing/run-cli.ts'
import { createDataFolder, serveModel } from './describe-with-terminal.ts'

it('what nobody can be asked about is not allowed', async () => {
  const folder = await createDataFolder()
  const call = { name: 'run_command', input: { command: 'touch ran' } }
  await serveModel(folder, { replies: [{ toolCalls: [call] }, { text: 'It did not run.' }] })
  const refused = await runCli(['chat', '-m', 'Run it'], { folder })
  expect(refused).toMatchObject({ code: 0, stdout: 'It did not run.\n' })
  expect(refused.stderr).toContain('Not allowed, because nobody can be asked here')
  expect(refused.stderr).toContain('It asked to run run_command (Run: touch ran')
  expect(await readdir(join(folder, 'workspace'))).not.toContain('ran')
})

it('a turn that fails ends with 1 and says why in one line', async () => {
  const folder = await createDataFolder()
  const server = await serveModel(folder, {})
  await server.close()
  const failed = await runCli(['chat', '-m', 'Hello'], { folder })
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toMatch(/\nlonghaul: .+\n$/)
})
