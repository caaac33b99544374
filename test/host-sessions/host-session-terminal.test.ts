import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFolder, runCli, runJson } from '../../packages/cli/src/testing/run-cli.ts'
import { startHost } from './start-host.ts'

const STORED = 'Stored. It will be applied at the next call of pi, which keeps this conversation.'

it('a host’s session in the terminal: it is read; what is asked of it waits for the host; what is said is refused', async () => {
  const folder = await createFolder()
  const host = startHost({ store: join(folder, 'longhaul.db'), sessionId: 'garden' })
  await host.order({ do: 'talk', turns: 12 })
  await host.order({ do: 'compact' })
  const { id } = host
  expect(await runJson(['sessions', 'list'], { folder })).toMatchObject({ items: [{ id, origin: 'pi' }] })
  const { stdout: list } = await runCli(['sessions', 'list'], { folder })
  expect(list).toMatch(/origin/)
  expect(list).toMatch(/pi-garden.*\bpi\b/)
  expect((await runCli(['sessions', 'show', id, '--limit', '1'], { folder })).stdout).toContain('kept by pi')

  const undone = await runCli(['undo', id, '--yes'], { folder })
  expect(undone).toMatchObject({ code: 0 })
  expect(undone.stdout).toContain(STORED)
  expect(await runJson(['compact', id], { folder })).toMatchObject({ wish: 'compact', origin: 'pi' })
  const { stdout: status } = await runCli(['status', id], { folder })
  expect(status).toContain('pi · waits for its next call: undo, compact')
  expect(await runJson(['context', id], { folder })).toMatchObject({ model: 'fake/model', window: 32_000 })
  expect((await runCli(['recall', id, 'Bed 3'], { folder })).stdout).toContain('Bed 3')

  const said = await runCli(['chat', '--session', id, '--message', 'Hello'], { folder })
  expect(said.code).toBe(1)
  expect(said.stderr).toContain('This conversation is kept by pi.')
  const lines = await runCli(['chat', '--plain', '--session', id], { folder, input: '/undo\n/reset\nHello\n' })
  expect(lines.stdout).toContain(STORED)
  expect(lines.stderr.match(/This conversation is kept by pi\./g)).toHaveLength(3)

  await host.order({ do: 'say', text: 'Go on' })
  expect(await runJson(['status', id], { folder })).toMatchObject({ origin: 'pi', waiting: [], messageCount: 25 })
})
