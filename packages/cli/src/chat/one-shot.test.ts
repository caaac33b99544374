import { expect, it } from 'vitest'
import { createFolder, runCli, runJson } from '../testing/run-cli.ts'

it('one turn: the reply alone on stdout, what is around it on stderr', async () => {
  const folder = await createFolder()
  const first = await runCli(['chat', '--message', 'My dog is called Bello.'], { folder })
  expect(first.code).toBe(0)
  expect(first.stdout).toContain('Noted.')
  expect(first.stderr).toMatch(/It is not an LLM\.\n[^]*Go on with: longhaul chat --session [\w-]{36}\n$/)
  const asked = await runCli(['chat', '--session', 'last'], { folder, input: 'What is my dog called?\n' })
  expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('Bello') as string })
})

it('with --json every event is a line, from message-stored to done; a slash command is its result', async () => {
  const folder = await createFolder()
  const { stdout, code } = await runCli(['chat', '-m', 'My dog is called Bello.', '--json'], { folder })
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; id?: string })
  expect(code).toBe(0)
  expect(events[0]).toMatchObject({ type: 'session', isNew: true })
  expect(events[1]?.type).toBe('message-stored')
  expect(events.map(({ type }) => type)).toContain('response-complete')
  expect(events.at(-1)?.type).toBe('done')
  const id = events[0]?.id ?? ''
  expect(await runJson(['chat', '-m', '/status', '--session', id], { folder })).toMatchObject({
    command: 'status',
    status: { id },
  })
})

it('message and piped input are one message', async () => {
  const folder = await createFolder()
  const { stdout } = await runCli(['chat', '-m', 'Remember this:', '--json'], {
    folder,
    input: 'The key hangs outside.',
  })
  const id = (JSON.parse(stdout.split('\n')[0] ?? '') as { id: string }).id
  const { messages } = (await runJson(['sessions', 'show', id], { folder })) as { messages: { parts: unknown }[] }
  expect(messages[0]?.parts).toEqual([{ type: 'text', text: 'Remember this:\n\nThe key hangs outside.' }])
})

it('fails with one line for a model that cannot be used', async () => {
  const { code, stdout, stderr } = await runCli(['chat', '-m', 'Hi', '--model', 'openai/gpt-4o'], {
    folder: await createFolder(),
  })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

it('line by line: each line is a message or a command, whatever the terminal', async () => {
  const folder = await createFolder()
  const input = 'My dog is called Bello.\n/pin Answer in English\n/pins\n/nonsense\nWhat is my dog called?\n'
  const { code, stdout, stderr } = await runCli(['chat', '--plain'], { folder, input })
  expect(code).toBe(0)
  expect(stdout).toMatch(/Noted\.[^]*Pinned[^]*1\. Answer in English[^]*Bello/)
  expect(stderr).toContain('There is no command /nonsense')
})
