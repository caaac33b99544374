import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isRecord } from '@longhaul/engine/advanced'
import { installHost } from '../hosts/install-host.ts'
import type { ClientReply, ClientSetup, RunningClient } from './client-under-test.ts'
import { createClientCommand } from './create-client-command.ts'

export const CLAUDE_CODE = '@anthropic-ai/claude-code@2.1.326'

/** The folder that holds `claude`: the program itself, because npm's wrapper is put in place by a script. */
export async function installClaudeCode(): Promise<string> {
  const packages = join(
    await installHost({ name: 'claude-code', packages: [CLAUDE_CODE] }),
    'node_modules/@anthropic-ai',
  )
  const platform = (await readdir(packages)).find((name) => /^claude-code-(?:linux|darwin)/.test(name))
  if (platform === undefined) throw new Error('There is no Claude Code for this platform.')
  return join(packages, platform)
}

/** Only the tool that the conversation needs: the definitions of all of them would fill a small window. */
const WORDS = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--tools', 'Read']

/** One process holds the whole conversation: a message a line in, events a line out. */
export async function startClaudeCode(bin: string, setup: ClientSetup): Promise<RunningClient> {
  const home = join(setup.folder, 'home')
  await mkdir(home, { recursive: true })
  const { program, words, environment } = await createClientCommand(setup, { program: 'claude', bin, home })
  const child = spawn(program, [...words, ...WORDS, '--model', setup.model], {
    cwd: setup.workspace,
    env: {
      ...environment,
      ANTHROPIC_API_KEY: 'sk-ant-none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...(setup.longhaul ? {} : { ANTHROPIC_BASE_URL: setup.upstream, DISABLE_AUTO_COMPACT: '1' }),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => void (complaints += data.toString()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

  async function say(text: string): Promise<ClientReply> {
    const message = { role: 'user', content: [{ type: 'text', text }] }
    child.stdin.write(`${JSON.stringify({ type: 'user', message })}\n`)
    for (;;) {
      const { value, done } = await lines.next()
      if (done === true) return { text: '', errors: [`Claude Code ended: ${complaints}`] }
      const event: unknown = JSON.parse(value)
      if (!isRecord(event) || event['type'] !== 'result') continue
      const result = String(event['result'] ?? event['subtype'])
      return event['is_error'] === true ? { text: '', errors: [result] } : { text: result, errors: [] }
    }
  }

  return {
    say,
    compact: () => say('/compact'),
    async stop() {
      child.stdin.end()
      await ended
      return complaints
    },
  }
}
