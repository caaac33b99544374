import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isRecord } from '@longhaul/engine/advanced'
import { installHost } from '../hosts/install-host.ts'
import type { ClientReply, ClientSetup, RunningClient } from './client-under-test.ts'
import { createClientCommand } from './create-client-command.ts'

export const CODEX = '@openai/codex@0.169.0'

/** The folder that holds `codex`: the program itself, without npm's wrapper around it. */
export async function installCodex(): Promise<string> {
  const packages = join(await installHost({ name: 'codex', packages: [CODEX] }), 'node_modules/@openai')
  const platform = (await readdir(packages)).find((name) => name.startsWith('codex-'))
  if (platform === undefined) throw new Error('There is no Codex for this platform.')
  const vendor = join(packages, platform, 'vendor')
  const [machine = ''] = await readdir(vendor)
  return join(vendor, machine, 'bin')
}

/** Larger than the window of the upstream; the words of a user win over those of `longhaul run`. */
const TOLD_WINDOW = ['-c', 'model_context_window=200000']
/** The files of the conversation are read without a sandbox, which does not work on every machine. */
const THREAD = { approvalPolicy: 'never', sandbox: 'danger-full-access' } as const

type Fields = Readonly<Record<string, unknown>>

/** Codex as editors run it: one process, which is talked to line by line. */
export async function startCodex(bin: string, setup: ClientSetup): Promise<RunningClient> {
  const home = join(setup.folder, 'home')
  await mkdir(home, { recursive: true })
  const { program, words, environment } = await createClientCommand(setup, { program: 'codex', bin, home })
  const direct = setup.longhaul ? [] : directWords(setup)
  const child = spawn(program, [...words, ...direct, ...TOLD_WINDOW, 'app-server'], {
    cwd: setup.workspace,
    env: { ...environment, CODEX_API_KEY: 'sk-none' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => void (complaints += data.toString()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let calls = 0

  async function readLine(): Promise<Fields> {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`Codex ended: ${complaints}`)
    const message: unknown = JSON.parse(value)
    return isRecord(message) ? message : {}
  }

  function send(message: object): void {
    child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  async function call(method: string, params: object): Promise<Fields> {
    calls += 1
    send({ id: calls, method, params })
    for (;;) {
      const { id, result, error } = await readLine()
      if (id !== calls) continue
      if (!isRecord(result)) throw new Error(`${method}: ${JSON.stringify(error)}`)
      return result
    }
  }

  async function runTurn(method: string, params: object): Promise<ClientReply> {
    await call(method, params)
    const texts: string[] = []
    for (;;) {
      const { method: event, params: about } = await readLine()
      const { item, turn } = isRecord(about) ? about : {}
      if (event === 'item/completed' && isRecord(item) && item['type'] === 'agentMessage')
        texts.push(String(item['text']))
      if (event !== 'turn/completed' || !isRecord(turn)) continue
      const isDone = turn['status'] === 'completed'
      return { text: texts.at(-1) ?? '', errors: isDone ? [] : [JSON.stringify(turn['error'])] }
    }
  }

  await call('initialize', { clientInfo: { name: 'talk', version: '1' } })
  send({ method: 'initialized' })
  const { thread } = await call('thread/start', { ...THREAD, model: setup.model, cwd: setup.workspace })
  const threadId = isRecord(thread) ? thread['id'] : null

  return {
    say: (text) => runTurn('turn/start', { threadId, input: [{ type: 'text', text }] }),
    compact: () => runTurn('thread/compact/start', { threadId }),
    async stop() {
      child.stdin.end()
      await ended
      return complaints
    },
  }
}

function directWords({ upstream }: ClientSetup): readonly string[] {
  const provider = `{ name = "Direct", base_url = "${upstream}/v1", wire_api = "responses", requires_openai_auth = true }`
  return ['-c', 'model_provider="direct"', '-c', `model_providers.direct=${provider}`]
}
