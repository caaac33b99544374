import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolder, runCli, spawnCli } from '../testing/run-cli.ts'
import type { CliRun } from '../testing/run-cli.ts'

/** A program that prints its words and what it was told, as JSON. */
const SCRIPT = `#!${process.execPath}
const { ANTHROPIC_BASE_URL, OPENAI_BASE_URL, DISABLE_AUTO_COMPACT, CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE, NO_PROXY } = process.env
const words = process.argv.slice(2)
if (words.join(' ') === 'login status') {
  console.error(process.env.TEST_LOGIN ?? 'Not logged in')
  process.exit(process.env.TEST_LOGIN === undefined ? 1 : 0)
}
console.log(JSON.stringify({ words, ANTHROPIC_BASE_URL, OPENAI_BASE_URL, DISABLE_AUTO_COMPACT, CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE, NO_PROXY }))
`

interface Told {
  readonly words: readonly string[]
  readonly [variable: string]: unknown
}

async function createHome(): Promise<string> {
  const folder = await createFolder()
  await mkdir(join(folder, 'bin'))
  for (const name of ['claude', 'codex']) {
    await writeFile(join(folder, 'bin', name), SCRIPT)
    await chmod(join(folder, 'bin', name), 0o755)
  }
  return folder
}

async function run(words: readonly string[], environment: Record<string, string> = {}, home?: string): Promise<CliRun> {
  const folder = home ?? (await createHome())
  const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`
  return runCli(['run', ...words], { folder, environment: { PATH, ...environment } })
}

async function tell(...given: Parameters<typeof run>): Promise<Told> {
  const { code, stdout, stderr } = await run(...given)
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Longhaul: no request came through the gateway.\n' })
  return JSON.parse(stdout) as Told
}

describe('longhaul run claude', () => {
  it('tells the address, switches off what would compact or refuse by itself, and passes all words on', async () => {
    const told = await tell(['--port', '0', 'claude', '--port', '1', '--help', '--', '-x'])
    expect(told).toMatchObject({
      words: ['--port', '1', '--help', '--', '-x'],
      ANTHROPIC_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/gateway\/anthropic$/) as string,
      DISABLE_AUTO_COMPACT: '1',
      CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: '1000000000',
    })
  })

  it('leaves a variable as the user has set it, and goes past no proxy', async () => {
    const told = await tell(['--port', '0', 'claude'], { DISABLE_AUTO_COMPACT: '0', HTTPS_PROXY: 'http://127.0.0.1:9' })
    expect(told).toMatchObject({ DISABLE_AUTO_COMPACT: '0', NO_PROXY: '127.0.0.1' })
  })

  it('is not started where its requests would go past the gateway', async () => {
    const { code, stdout, stderr } = await run(['claude'], { CLAUDE_CODE_USE_BEDROCK: '1' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^longhaul: CLAUDE_CODE_USE_BEDROCK is set.*\n$/)
  })
})

describe('longhaul run codex', () => {
  const settings = (told: Told): string => told.words.join('\n')

  it.each([
    [{}, /base_url = "http:\/\/127\.0\.0\.1:\d+\/gateway\/openai\/v1".*requires_openai_auth = true/],
    [{ OPENAI_API_KEY: 'sk-1' }, /gateway\/openai\/v1".*env_key = "OPENAI_API_KEY"/],
    [{ OPENAI_API_KEY: 'sk-1', TEST_LOGIN: 'Logged in' }, /gateway\/openai\/v1".*requires_openai_auth = true/],
    [{ TEST_LOGIN: 'Logged in using ChatGPT' }, /gateway\/chatgpt".*requires_openai_auth = true/],
  ])('uses the login there is: %o', async (environment, wanted) => {
    const told = await tell(['--port', '0', 'codex', 'exec', 'Hello'], environment)
    expect(settings(told)).toMatch(wanted)
    expect(told.words.slice(-2)).toEqual(['exec', 'Hello'])
    expect(told.words).toEqual(
      expect.arrayContaining(['model_provider="longhaul"', 'model_auto_compact_token_limit=1000000000']),
    )
  })

  it('is not started with a provider of the user’s own, and keeps the rest of the configuration', async () => {
    const home = await createHome()
    await mkdir(join(home, '.codex'))
    await writeFile(join(home, '.codex/config.toml'), 'model_provider = "mine"\n\n[model_providers.mine]\n')
    const { code, stderr } = await run(['codex'], {}, home)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^longhaul: Codex is set to the provider mine\. .*\n$/)
    await writeFile(join(home, '.codex/config.toml'), '[profiles.other]\nmodel_provider = "mine"\n')
    expect(settings(await tell(['--port', '0', 'codex'], {}, home))).toContain('longhaul')
  })
})

describe('longhaul run -- COMMAND', () => {
  const POST = `await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body: JSON.stringify({
    model: 'some-model', max_tokens: 9, tools: [{ name: 'a', input_schema: {} }], messages: [{ role: 'user', content: 'Hi' }] }) })`

  it('hands on the exit code, and says what was done', async () => {
    const server = await startWireServer({ otherwise: { text: 'Hello.' } })
    onTestFinished(() => server.close())
    const address = { ANTHROPIC_BASE_URL: server.baseURL }
    const { code, stderr } = await run(
      ['--port', '0', '--', process.execPath, '--input-type=module', '-e', `${POST}; process.exit(7)`],
      address,
    )
    expect({ code, stderr }).toEqual({ code: 7, stderr: 'Longhaul: 1 request, all passed on as they came.\n' })
    expect(server.requests).toHaveLength(1)
  })

  it('uses a gateway that runs already, and counts its work from then on', async () => {
    const server = await startWireServer({ otherwise: { text: 'Hello.' } })
    onTestFinished(() => server.close())
    const folder = await createHome()
    const upstream = `anthropic=${server.baseURL}`
    const gateway = spawnCli(['gateway', '--port', '0', '--upstream', upstream, '--json'], { folder })
    onTestFinished(async () => {
      const ended = new Promise((resolve) => gateway.once('exit', resolve))
      gateway.kill()
      await ended
    })
    const said = await new Promise<string>((resolve) =>
      gateway.stdout.once('data', (data: Buffer) => resolve(data.toString())),
    )
    const { url } = JSON.parse(said) as { readonly url: string }
    for (let count = 0; count < 2; count += 1) {
      const words = ['--port', new URL(url).port, '--', process.execPath, '--input-type=module', '-e', POST]
      const { stderr } = await run(words, {}, folder)
      expect(stderr).toMatch(/^Longhaul: 1 request, all passed on as they came\.\n {2}The gateway was running before/)
    }
    expect(server.requests).toHaveLength(2)
  })

  it('uses no other program that has the port and only looks like a gateway: it sees no token and no key', async () => {
    const seen: string[] = []
    const other = createServer((incoming, outgoing) => {
      seen.push(`${incoming.url} ${JSON.stringify(incoming.headers)}`)
      outgoing.end(JSON.stringify({ requests: 0, summaries: {}, proof: 'f'.repeat(24) }))
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const server = await startWireServer({ otherwise: { text: 'Hello.' } })
    onTestFinished(async () => {
      other.close()
      await server.close()
    })
    const folder = await createHome()
    const gateway = { upstreams: { anthropic: server.baseURL } }
    await writeFile(join(folder, 'config.json5'), JSON.stringify({ gateway }))
    const { port } = other.address() as AddressInfo
    const words = ['--port', String(port), '--', process.execPath, '--input-type=module', '-e', POST]
    const { code, stderr } = await run(words, { LONGHAUL_TOKEN: 'token-of-this-server' }, folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Longhaul: 1 request, all passed on as they came.\n' })
    expect(server.requests).toHaveLength(1)
    expect(seen).toHaveLength(1)
    expect(seen.join()).not.toContain('token-of-this-server')
  })

  it.each([
    [
      ['--', 'no-such-program-here'],
      1,
      /^longhaul: There is no program called no-such-program-here here\. Check .*\n$/,
    ],
    [['--'], 2, /^longhaul: Say what to run: .*\n$/],
    [[], 2, /^longhaul: Say what to run: .*\n$/],
    [['cursor'], 2, /'cursor' is invalid/],
    [['--port', 'x', 'claude'], 2, /whole number/],
  ])('%j ends with %d and one line', async (words, wanted, line) => {
    const { code, stdout, stderr } = await run(words)
    expect({ code, stdout }).toEqual({ code: wanted, stdout: '' })
    expect(stderr).toMatch(line)
  })

  it('says how to get a program that is not there', async () => {
    const folder = await createFolder()
    const { code, stderr } = await runCli(['run', 'claude'], { folder, environment: { PATH: '/nowhere' } })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'longhaul: There is no program called claude here. Install it: npm install -g @anthropic-ai/claude-code\n',
    })
  })
})
