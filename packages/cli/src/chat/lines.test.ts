import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFolder, runCli, spawnCli } from '../testing/run-cli.ts'

it('what was left unanswered when its process was killed is answered when it is opened again', async () => {
  const folder = await createFolder()
  await writeFile(join(folder, 'config.json5'), '{ tools: { permissions: { run_command: "allow" } } }')
  const killed = spawnCli(['chat', '--plain'], { folder })
  killed.stdin.write('Run the command touch begun && sleep 5\n')
  // The call is told before it is stored: only what it does shows that it runs.
  await expect.poll(() => existsSync(join(folder, 'workspace/begun')), { timeout: 30_000 }).toBe(true)
  killed.kill('SIGKILL')
  const { code, stdout, stderr } = await runCli(['chat', '--plain', '--session', 'last'], { folder, input: '' })
  expect(code).toBe(0)
  expect(stderr).toContain('going on with it')
  expect(stdout).toContain('the call was interrupted')
  const again = await runCli(['chat', '--plain', '--session', 'last'], { folder, input: '' })
  expect(again).toMatchObject({ code: 0, stdout: '' })
  expect(again.stderr).not.toContain('going on with it')
})
