import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createFolder, runCli, runJson } from '../testing/run-cli.ts'

/** A long talk in the format of OpenAI's chat, so that there is something to compact. */
const MESSAGES = Array.from({ length: 24 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: index === 4 ? 'The shed key hangs behind the door.' : `Bed ${index}: ${'the soil is dry. '.repeat(60)}`,
}))

async function importTalk(folder: string): Promise<string> {
  const { sessions } = (await runJson(['sessions', 'import', '-'], { folder, input: JSON.stringify(MESSAGES) })) as {
    sessions: readonly { id: string; format: string; entryCount: number }[]
  }
  expect(sessions).toMatchObject([{ format: 'openai-chat', entryCount: 24 }])
  return sessions[0]?.id ?? ''
}

it('sessions: what was imported is listed, shown, exported without loss, imported again, hidden and erased', async () => {
  const folder = await createFolder()
  const id = await importTalk(folder)
  expect(await runJson(['sessions', 'list'], { folder })).toMatchObject({
    items: [{ id, messageCount: 24 }],
    next: null,
  })
  expect(await runJson(['sessions', 'show', id, '--limit', '3'], { folder })).toMatchObject({
    id,
    messages: [{ role: 'assistant' }, { role: 'user' }, { role: 'assistant' }],
  })
  const file = join(folder, 'talk.jsonl')
  const { stdout } = await runCli(['sessions', 'export', id.slice(0, 8)], { folder })
  await writeFile(file, stdout)
  const again = (await runJson(['sessions', 'import', file, '--new-id'], { folder })) as { sessions: { id: string }[] }
  const copy = again.sessions[0]?.id ?? ''
  expect(again).toMatchObject({ sessions: [{ originalId: id, isCopy: true }] })
  const exported = await runCli(['sessions', 'export', copy], { folder })
  expect(exported.stdout.replaceAll(copy, id)).toBe(stdout)
  const out = await runCli(['sessions', 'export', copy, '--output', file], { folder })
  expect(out.code).toBe(1)
  expect(await readFile(file, 'utf8')).toBe(stdout)

  expect(await runJson(['sessions', 'delete', copy], { folder })).toEqual({ id: copy, purged: false })
  expect(await runCli(['sessions', 'delete', id, '--purge'], { folder })).toMatchObject({ code: 2 })
  expect(await runJson(['sessions', 'delete', id, '--purge', '--yes'], { folder })).toEqual({ id, purged: true })
  expect(await runJson(['sessions', 'list'], { folder })).toEqual({ items: [], next: null })
})

it('an import of what is there already is a copy under a new id, and says so', async () => {
  const folder = await createFolder()
  const id = await importTalk(folder)
  const file = join(folder, 'talk.jsonl')
  await writeFile(file, (await runCli(['sessions', 'export', id], { folder })).stdout)
  const { code, stdout } = await runCli(['sessions', 'import', file], { folder })
  expect(code).toBe(0)
  expect(stdout).toContain(`a copy: session ${id} is there already`)
  expect(await runJson(['sessions', 'list'], { folder })).toMatchObject({ items: [{}, {}] })
})

it('ONE-19 sessions show tells the summary in force and where what is kept begins', async () => {
  const folder = await createFolder()
  const id = await importTalk(folder)
  const nothing = { compactedSummary: null, compactBoundaryTimestamp: null }
  expect(await runJson(['sessions', 'show', id], { folder })).toMatchObject(nothing)
  await runJson(['compact', id], { folder })
  expect(await runJson(['sessions', 'show', id], { folder })).toMatchObject({
    compactedSummary: expect.stringContaining('Bed 0'),
    compactBoundaryTimestamp: expect.any(Number),
  })
  await runJson(['undo', id], { folder })
  expect(await runJson(['sessions', 'show', id], { folder })).toMatchObject(nothing)
})

it('OPEN-20 status warns of a window that is too small', async () => {
  const folder = await createFolder()
  await writeFile(join(folder, 'config.json5'), '{ contextTokens: 16000 }')
  const id = await importTalk(folder)
  expect(await runJson(['status', id], { folder })).toMatchObject({
    warnings: [expect.stringContaining('The context window is 16000 tokens (from contextTokens)')],
  })
  const { stdout } = await runCli(['status', id], { folder })
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('⚠ The context window is 16000 tokens')
  const said = await runCli(['chat', '--message', 'Hello', '--session', id], { folder })
  expect(said.stderr.replaceAll(/\s+/g, ' ')).toContain('The context window is 16000 tokens')
})

it('status, context, compact, undo and recall do what the slash commands do', async () => {
  const folder = await createFolder()
  const id = await importTalk(folder)
  expect(await runJson(['status', id], { folder })).toMatchObject({ id, messageCount: 24, compactionCount: 0 })
  const compacted = await runJson(['compact', id, 'keep', 'the', 'key'], { folder })
  const { tokensBefore, tokensAfter } = compacted as { tokensBefore: number; tokensAfter: number }
  expect(tokensAfter).toBeLessThan(tokensBefore)
  const report = (await runJson(['context', 'last', '--detail'], { folder })) as { items: { kind: string }[] }
  expect(report.items.map(({ kind }) => kind)).toContain('summary')
  expect(await runJson(['recall', id, 'shed', 'key'], { folder })).toMatchObject({
    found: [{ role: 'user', text: expect.stringContaining('behind the door') as string }],
  })
  expect(await runJson(['undo', id], { folder })).toMatchObject({ undone: [expect.any(String) as string] })
  const nothing = await runCli(['undo', id, '--json'], { folder })
  expect(nothing).toMatchObject({ code: 1, stdout: '' })
  expect(nothing.stderr).toMatch(/^longhaul: Nothing has been compacted/)
})

it('backup, restore and verify: everything is there again, memory files too', async () => {
  const folder = await createFolder()
  const id = await importTalk(folder)
  await runJson(['status', id], { folder })
  await writeFile(join(folder, 'workspace/MEMORY.md'), '- The shed key hangs behind the door.\n')
  const file = join(folder, 'all.backup')
  expect(await runJson(['backup', file], { folder })).toMatchObject({ file, counts: { session: 1, memory: 1 } })
  const other = await createFolder()
  expect(await runJson(['restore', file], { folder: other })).toMatchObject({ memoryFiles: ['MEMORY.md'] })
  expect(await readFile(join(other, 'workspace/MEMORY.md'), 'utf8')).toContain('shed key')
  expect(await runJson(['sessions', 'list'], { folder: other })).toMatchObject({ items: [{ id, messageCount: 24 }] })
  expect(await runCli(['restore', file], { folder: other })).toMatchObject({ code: 1, stdout: '' })
  expect(await runJson(['verify'], { folder: other })).toMatchObject({ sessions: 1, problems: [], repaired: [] })
  const lines = await runCli(['verify'], { folder: other })
  expect(lines.stdout).toContain('all is as it should be')
})

it('18.8 18.15 config says which values are ceilings, and doctor how the MCP servers are', async () => {
  const folder = await createFolder()
  const echo = fileURLToPath(new URL('../../../tools/src/mcp/testing/echo-server.ts', import.meta.url))
  const mcp = { echo: { command: process.execPath, args: [echo] }, gone: { command: '/no/such/program' } }
  await writeFile(join(folder, 'config.json5'), JSON.stringify({ workspaceAccess: 'ro', mcp }))
  const { stdout } = await runCli(['config', 'show'], { folder })
  expect(stdout).toMatch(/workspaceAccess = ro {2}file .*, ceiling\n/)
  expect(stdout).toMatch(/agents\.defaults\.bootstrapMaxChars = 20000 {2}preset longhaul\n/)
  const { findings } = (await runJson(['doctor'], { folder })) as { findings: { name: string; message: string }[] }
  expect(findings.filter(({ name }) => name === 'mcp')).toMatchObject([
    { verdict: 'fine', message: 'echo: 3 tools' },
    { verdict: 'doubtful', message: expect.stringMatching(/^gone: it is left out/) as unknown },
  ])
})

it('models, config and doctor say what is there', async () => {
  const folder = await createFolder()
  const environment = { ANTHROPIC_API_KEY: 'sk-ant-secret-0001' }
  const models = (await runJson(['models'], { folder })) as { items: { id: string }[]; defaultModel: string }
  expect(models.defaultModel).toBe('offline/extractive')
  expect(models.items.map(({ id }) => id)).toContain('offline/extractive')
  const shown = await runCli(['config', 'show', '--json'], { folder, environment })
  expect(shown.stdout).not.toContain('secret')
  expect(JSON.parse(shown.stdout)).toMatchObject({
    items: expect.arrayContaining([{ key: 'data', value: folder, source: 'environment LONGHAUL_DATA' }]) as unknown,
  })
  expect(await runJson(['config', 'check'], { folder })).toMatchObject({ ok: true, exists: false })
  const file = join(folder, 'other.json5')
  await writeFile(file, '{ preset: "longhal" }')
  const checked = await runCli(['config', 'check', file, '--json'], { folder })
  expect(checked.code).toBe(1)
  expect(JSON.parse(checked.stdout)).toMatchObject({ ok: false, issues: [{ path: 'preset', line: 1 }] })
  expect(await runJson(['doctor'], { folder, environment })).toMatchObject({ ok: true })
  const sick = await runCli(['doctor', '--config', file, '--json'], { folder })
  expect(sick.code).toBe(1)
  expect(JSON.parse(sick.stdout)).toMatchObject({ ok: false })
})
