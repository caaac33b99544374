import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
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

/** The conversation's files may be read without a sandbox, which does not work everywhere. */
const WORDS = ['--json', '--skip-git-repo-check', '-c', 'sandbox_mode="danger-full-access"']

/** A process for each message: the conversation goes on from what the one before has left on the disk. */
export async function startCodex(bin: string, setup: ClientSetup): Promise<RunningClient> {
  const home = join(setup.folder, 'home')
  await mkdir(home, { recursive: true })
  const command = await createClientCommand(setup, { program: 'codex', bin, home })
  // A provider's address can be given to Codex by its configuration alone.
  const direct = setup.longhaul ? [] : ['-c', `openai_base_url="${setup.upstream}/v1"`]
  let turns = 0
  let complaints = ''

  async function say(text: string): Promise<ClientReply> {
    const way = turns === 0 ? ['exec'] : ['exec', 'resume', '--last']
    turns += 1
    const [program, ...words] = [...command.words, ...way, ...WORDS, '-m', setup.model, ...direct, text]
    const child = spawn(program, words, {
      cwd: setup.workspace,
      env: { ...command.environment, CODEX_API_KEY: 'sk-none' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'exit')
    const [printed, complained] = await Promise.all([readText(child.stdout), readText(child.stderr), ended])
    complaints += complained
    return readReply(printed)
  }

  return { say, compact: null, stop: () => Promise.resolve(complaints) }
}

function readReply(printed: string): ClientReply {
  const events = printed.split('\n').flatMap((line): readonly Readonly<Record<string, unknown>>[] => {
    const event: unknown = line.startsWith('{') ? JSON.parse(line) : null
    return isRecord(event) ? [event] : []
  })
  const items = events.flatMap(({ type, item }) => (type === 'item.completed' && isRecord(item) ? [item] : []))
  const texts = items.flatMap((item) => (item['type'] === 'agent_message' ? [String(item['text'])] : []))
  const failed = events.filter(({ type }) => type === 'turn.failed' || type === 'error')
  return { text: texts.at(-1) ?? '', errors: failed.map((event) => JSON.stringify(event)) }
}
