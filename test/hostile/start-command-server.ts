import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startWireServer } from '@longhaul/models/testing'
import type { WireAnswer, WireRequest } from '@longhaul/models/testing'
import { createClient } from '@longhaul/protocol'
import type { Client } from '@longhaul/protocol'
import { onTestFinished } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/longhaul.js')

export interface CommandServerOptions {
  /** `tools.command` of its configuration. */
  readonly command: Readonly<Record<string, unknown>>
  readonly environment?: Readonly<Record<string, string>>
}

export interface WantedCommand {
  readonly command: string
  readonly timeoutMs?: number
}

/** `longhaul serve` as a process, with a model that runs whatever it is told, unasked. */
export interface CommandServer {
  readonly folder: string
  readonly url: string
  readonly client: Client
  readonly process: ChildProcess
  /** Runs commands side by side in one turn of a session; resolves with their answers, in order. */
  readonly run: (commands: readonly WantedCommand[], sessionId?: string) => Promise<readonly string[]>
  /** Resolves once the process is gone. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

export async function startCommandServer({ command, environment = {} }: CommandServerOptions): Promise<CommandServer> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-commands-'))
  const token = environment['LONGHAUL_TOKEN']
  const apiKey = environment['ANTHROPIC_API_KEY'] ?? 'none'
  const model = await startWireServer({ otherwise: answer, apiKey })
  await writeFile(
    join(folder, 'config.json5'),
    JSON.stringify({
      providers: { anthropic: { baseURL: model.baseURL, models: { m: { contextWindow: 200_000, maxOutput: 8_192 } } } },
      agents: { defaults: { model: 'anthropic/m' } },
      tools: { permissions: { '*': 'allow' }, command },
    }),
  )
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], HOME: folder, LONGHAUL_DATA: folder, ANTHROPIC_API_KEY: apiKey, ...environment },
  })
  const gone = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
    await model.close()
    await rm(folder, { recursive: true, force: true })
  })
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>
  const [ready] = await Promise.race([line, gone.then(() => Promise.reject(new Error('The server ended by itself.')))])
  const url = ready.replace('Longhaul is ready at ', '')
  const client = createClient({ baseUrl: url, ...(token === undefined ? {} : { token }) })

  return {
    folder,
    url,
    client,
    process: child,
    async run(commands, sessionId) {
      const id = sessionId ?? (await client.createSession({ title: 'commands' })).id
      const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
      const body = JSON.stringify({ text: `${ORDER}${JSON.stringify(commands)}` })
      const turn = await fetch(`${url}/api/sessions/${id}/messages`, { method: 'POST', headers, body })
      await turn.text()
      const { items } = await client.listMessages(id, { limit: 100 })
      const parts = items.flatMap((message) => message.parts)
      const results = new Map(parts.flatMap((part) => (part.type === 'tool-result' ? [[part.toolCallId, part]] : [])))
      const calls = parts.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []))
      // As text with its line feeds, whatever kind of output it is.
      return calls.map((call) => JSON.stringify(results.get(call)?.output ?? '').replaceAll('\\n', '\n'))
    },
    async end(signal) {
      child.kill(signal)
      await gone
    },
  }
}

const ORDER = 'Run these: '

function answer({ messages }: WireRequest): WireAnswer {
  const last = messages.at(-1)
  const start = last?.text.indexOf(ORDER) ?? -1
  if (last === undefined || last.role !== 'user' || start === -1) return { text: 'Done.' }
  const wanted = JSON.parse(last.text.slice(start + ORDER.length)) as WantedCommand[]
  return { toolCalls: wanted.map((input) => ({ name: 'run_command', input: { ...input } })) }
}
