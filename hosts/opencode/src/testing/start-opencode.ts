import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installHost } from '../../../../test/hosts/install-host.ts'
import type { HostReply, HostSetup, RunningHost } from '../../../../test/hosts/host-under-test.ts'

export const VERSIONS = 'opencode-ai@1.18.33'
/** The plug-in's address. opencode loads its sources as they are. */
export const PLUGIN = new URL('../index.ts', import.meta.url).href

export interface OpencodeSetup extends HostSetup {
  /** Options of the plug-in beside its store. */
  readonly plugin?: object
  /** Further keys of opencode's configuration. */
  readonly config?: object
}

export interface RunningOpencode extends RunningHost {
  /** Calls opencode's own HTTP interface. */
  readonly call: (method: string, path: string, body?: object) => Promise<unknown>
  readonly sessionId: string
  /** The end of what it wrote to its log. */
  readonly printed: () => string
}

/** The program itself, without npm's wrapper around it. Rejects where it cannot be installed. */
export async function installOpencode(): Promise<string> {
  const folder = join(await installHost({ name: 'opencode', packages: [VERSIONS] }), 'node_modules')
  const found = await readdir(folder)
  const platform = found.filter((name) => name.startsWith('opencode-') && name !== 'opencode-ai').toSorted()[0]
  if (platform === undefined) throw new Error('There is no opencode for this platform.')
  return join(folder, platform, 'bin', 'opencode')
}

/** Runs opencode's server in the workspace and talks to one session, as its own screen would. */
export async function startOpencode(program: string, setup: OpencodeSetup): Promise<RunningOpencode> {
  const home = join(setup.folder, 'home')
  await mkdir(setup.workspace, { recursive: true })
  await holdLibrary(join(home, 'config/opencode'))
  const child = spawn(program, ['serve', '--port', '0', '--hostname', '127.0.0.1', '--print-logs'], {
    cwd: setup.workspace,
    env: environmentOf(setup, home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let printed = ''
  const keep = (data: Buffer): void => void (printed = (printed + data.toString()).slice(-200_000))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const address = await Promise.race([findAddress(() => printed), ended.then(() => null)])
  if (address === null) throw new Error(`opencode did not start: ${printed}`)

  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(new URL(path, address), { method, headers: JSON_TYPE, ...json })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const sessionId = await findSession(call)
  return {
    call,
    sessionId,
    printed: () => printed,
    say: async (text) =>
      readReply(await call('POST', `/session/${sessionId}/message`, { parts: [{ type: 'text', text }] })),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

function environmentOf(setup: OpencodeSetup, home: string): NodeJS.ProcessEnv {
  const config = {
    autoupdate: false,
    share: 'disabled',
    lsp: false,
    formatter: false,
    model: `fake/${setup.model}`,
    small_model: `fake/${setup.model}`,
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: setup.baseURL, apiKey: 'none' },
        models: {
          [setup.model]: {
            name: setup.model,
            tool_call: true,
            limit: { context: setup.windowTokens, output: setup.maxOutputTokens },
          },
        },
      },
    },
    ...(setup.store === null
      ? {}
      : {
          plugin: [[PLUGIN, { store: setup.store, ...setup.plugin }]],
          compaction: { auto: false, prune: false },
        }),
    ...setup.config,
  }
  return {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }
}

const LIBRARY = '@opencode-ai/plugin'

/** At its first start opencode fetches its library for plug-ins, which this one does not use: it is told that it is there. */
async function holdLibrary(configFolder: string): Promise<void> {
  await mkdir(join(configFolder, 'node_modules'), { recursive: true })
  const lock = { packages: { '': { dependencies: { [LIBRARY]: '*' } } } }
  await writeFile(join(configFolder, 'package-lock.json'), JSON.stringify(lock))
}

const START_MS = 60_000

async function findAddress(printed: () => string): Promise<string> {
  for (const giveUpAt = Date.now() + START_MS; Date.now() < giveUpAt;) {
    const [, address] = /listening on (http:\S+)/.exec(printed()) ?? []
    if (address !== undefined) return address
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`opencode did not listen within ${START_MS / 1_000} seconds: ${printed()}`)
}

type Call = RunningOpencode['call']

async function findSession(call: Call): Promise<string> {
  const sessions = (await call('GET', '/session')) as readonly { readonly id: string; readonly parentID?: string }[]
  const known = sessions.find(({ parentID }) => parentID === undefined)
  return (known ?? ((await call('POST', '/session', {})) as { readonly id: string })).id
}

interface Answer {
  readonly info: { readonly error?: { readonly name: string; readonly data?: { readonly message?: string } } }
  readonly parts: readonly { readonly type: string; readonly text?: string }[]
}

function readReply(answer: unknown): HostReply {
  const { info, parts } = answer as Answer
  const errors = info.error === undefined ? [] : [`${info.error.name}: ${info.error.data?.message ?? ''}`]
  return {
    text: parts.flatMap(({ type, text }) => (type === 'text' ? (text ?? '') : [])).join(''),
    errors,
    copies: null,
  }
}
