import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isRecord } from '@longhaul/engine/advanced'
import type { HostReply, HostSetup, RunningHost } from '../../../../test/hosts/host-under-test.ts'

/** An event or an answer of pi's RPC mode. */
export type PiRecord = Readonly<Record<string, unknown>>

/** pi in its RPC mode, with the extension from this checkout. */
export interface RunningPi extends RunningHost {
  /** Sends a command and collects what pi says until the command has been answered. */
  readonly command: (command: PiRecord) => Promise<readonly PiRecord[]>
  /** Sends a prompt and collects what pi says until nothing more will follow. */
  readonly prompt: (message: string) => Promise<readonly PiRecord[]>
}

const EXTENSION = join(import.meta.dirname, '../index.ts')

/** `installed`: the folder whose `node_modules` holds pi. */
export async function startPi(installed: string, setup: HostSetup, words: readonly string[] = []): Promise<RunningPi> {
  const agent = join(setup.folder, 'agent')
  const sessions = join(setup.folder, 'pi-sessions')
  await configure(agent, setup)
  const cli = join(installed, 'node_modules/@earendil-works/pi-coding-agent/dist/cli.js')
  const extension = setup.store === null ? [] : ['-e', EXTENSION]
  const options = ['--mode', 'rpc', '--provider', 'fake', '--model', setup.model, '--session-dir', sessions]
  const child = spawn(
    process.execPath,
    [cli, ...options, '--session-id', setup.sessionId, '--no-context-files', ...extension, ...words],
    {
      cwd: setup.workspace,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: setup.folder,
        PI_CODING_AGENT_DIR: agent,
        PI_OFFLINE: '1',
        ...(setup.store === null ? {} : { LONGHAUL_STORE: setup.store }),
      },
    },
  )
  const ended = once(child, 'exit')
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => void (complaints = (complaints + data.toString()).slice(-4_000)))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

  async function collect(isLast: (record: PiRecord) => boolean): Promise<readonly PiRecord[]> {
    const records: PiRecord[] = []
    for (;;) {
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`pi ended: ${complaints}`)
      const record: unknown = JSON.parse(value)
      if (!isRecord(record)) continue
      records.push(record)
      if (isLast(record)) return records
    }
  }

  async function command(sent: PiRecord): Promise<readonly PiRecord[]> {
    child.stdin.write(`${JSON.stringify(sent)}\n`)
    return collect(({ type, command: answered }) => type === 'response' && answered === sent['type'])
  }

  async function prompt(message: string): Promise<readonly PiRecord[]> {
    const accepted = await command({ type: 'prompt', message })
    if (accepted.at(-1)?.['success'] !== true) return accepted
    return [...accepted, ...(await collect(({ type }) => type === 'agent_settled'))]
  }

  return {
    command,
    prompt,
    say: async (text) => readReply(await prompt(text)),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}

async function configure(agent: string, { baseURL, model, windowTokens, maxOutputTokens, workspace }: HostSetup) {
  await mkdir(agent, { recursive: true })
  await mkdir(workspace, { recursive: true })
  const models = [{ id: model, contextWindow: windowTokens, maxTokens: maxOutputTokens }]
  const fake = { baseUrl: baseURL, api: 'openai-completions', apiKey: 'none', models }
  await writeFile(join(agent, 'models.json'), JSON.stringify({ providers: { fake } }))
}

function readReply(records: readonly PiRecord[]): HostReply {
  const answers = records.flatMap(({ type, message }) =>
    type === 'message_end' && isRecord(message) && message['role'] === 'assistant' ? [message] : [],
  )
  const content = answers.at(-1)?.['content']
  const blocks = Array.isArray(content) ? content.filter(isRecord) : []
  return {
    text: blocks.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n'),
    errors: records.flatMap(readError),
    copies: null,
  }
}

/** Errors that pi's user sees: a failed answer that is not tried again, a failed compaction, a failed extension. */
function readError(record: PiRecord, index: number, records: readonly PiRecord[]): readonly string[] {
  const { type, message, errorMessage, error, success, reason } = record
  if (type === 'extension_error') return [String(error)]
  if (type === 'response' && success === false) return [String(error)]
  if (type === 'compaction_end' && typeof errorMessage === 'string') return [`${String(reason)}: ${errorMessage}`]
  if (type !== 'message_end' || !isRecord(message) || message['stopReason'] !== 'error') return []
  const isRetried = records.slice(index + 1).some(({ type: later }) => later === 'agent_start')
  return isRetried ? [] : [String(message['errorMessage'])]
}
