import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { HostReply, HostSetup, RunningHost } from '../../../../test/hosts/host-under-test.ts'
import { createConfig } from './create-config.ts'
import type { OpenClawSetup } from './create-config.ts'

/** OpenClaw's gateway, to which its clients talk. */
export interface RunningOpenClaw extends RunningHost {
  /** Runs one of OpenClaw's own commands beside the gateway, such as `sessions compact KEY`. */
  readonly run: (...words: readonly string[]) => Promise<{ readonly code: number; readonly output: string }>
  /** All that the gateway has written so far. */
  readonly log: () => string
  readonly sessionKey: string
}

const TOKEN = 'only-for-this-test'
const START_MS = 120_000
const STOP_MS = 20_000

/** `installed`: the folder whose `node_modules` holds OpenClaw. */
export async function startOpenClaw(
  installed: string,
  setup: HostSetup,
  changes: OpenClawSetup = {},
): Promise<RunningOpenClaw> {
  const port = await findPort()
  const env = await prepareFolder(setup, createConfig(setup, { port, token: TOKEN, ...changes }))
  const program = join(installed, 'node_modules/openclaw/openclaw.mjs')
  const start = (...words: readonly string[]): ChildProcess =>
    spawn(process.execPath, [program, ...words], {
      cwd: setup.folder,
      env,
      // A group of its own, so that whatever it starts ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const gateway = start('gateway', 'run')
  const ended = once(gateway, 'exit')
  let log = ''
  collect(gateway, (text) => void (log += text))
  const address = `http://127.0.0.1:${port}`
  const sessionKey = `agent:main:${setup.sessionId}`

  async function kill(): Promise<void> {
    killGroup(gateway)
    await ended
  }

  try {
    await waitUntilReady(`${address}/readyz`, () => gateway.exitCode !== null)
  } catch (error) {
    await kill()
    throw new Error(`OpenClaw did not start: ${log.slice(-4_000)}`, { cause: error })
  }

  return {
    sessionKey,
    kill,
    log: () => log,
    async say(text) {
      const response = await fetch(`${address}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'application/json',
          'x-openclaw-session-key': sessionKey,
        },
        body: JSON.stringify({ model: 'openclaw', messages: [{ role: 'user', content: text }] }),
      })
      return readReply(response.ok, await response.text())
    },
    async run(...words) {
      const command = start(...words)
      let output = ''
      collect(command, (text) => void (output += text))
      const [code] = (await once(command, 'close')) as [number | null]
      killGroup(command)
      return { code: code ?? -1, output }
    },
    async stop() {
      gateway.kill('SIGTERM')
      await Promise.race([ended, wait(STOP_MS, undefined, { ref: false })])
      await kill()
    },
  }
}

/** Nothing of OpenClaw lies outside of the setup's folder. */
async function prepareFolder({ folder, workspace }: HostSetup, config: object): Promise<NodeJS.ProcessEnv> {
  const state = join(folder, 'openclaw')
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')]
  for (const each of [state, home, temporary, workspace]) await mkdir(each, { recursive: true })
  const configFile = join(folder, 'openclaw.json')
  await writeFile(configFile, JSON.stringify(config, null, 2))
  return {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: temporary,
    OPENCLAW_STATE_DIR: state,
    OPENCLAW_CONFIG_PATH: configFile,
    OPENCLAW_NO_RESPAWN: '1',
    OPENCLAW_NO_AUTO_UPDATE: '1',
    OPENCLAW_OFFLINE: '1',
    OPENCLAW_DISABLE_BONJOUR: '1',
    OPENCLAW_SKIP_CHANNELS: '1',
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function waitUntilReady(address: string, hasEnded: () => boolean): Promise<void> {
  const until = Date.now() + START_MS
  for (;;) {
    const response = await fetch(address).catch(() => null)
    if (response?.ok === true) return
    if (hasEnded() || Date.now() > until) throw new Error(`It answered ${response?.status ?? 'nothing'}.`)
    await wait(50)
  }
}

function collect({ stdout, stderr }: ChildProcess, add: (text: string) => void): void {
  for (const stream of [stdout, stderr]) stream?.on('data', (data: Buffer) => add(data.toString()))
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** OpenClaw tells its user of a failed turn in the answer's text, after a warning sign. */
function readReply(isOk: boolean, body: string): HostReply {
  if (!isOk) return { text: '', errors: [body], copies: null }
  const { choices } = JSON.parse(body) as { choices: readonly { message: { content: string } }[] }
  const text = choices[0]?.message.content ?? ''
  return { text, errors: /^(⚠️|No response|error:)/iu.test(text) ? [text] : [], copies: null }
}
