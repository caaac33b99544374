import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { WireAnswer, WireRequest } from '@longhaul/models/testing'
import { installHost } from '../hosts/install-host.ts'

const GEMINI = '@google/gemini-cli@0.61.0'
const TIMEOUT_MS = 120_000

export async function installGemini(): Promise<string> {
  const folder = await installHost({ name: 'gemini-cli', packages: [GEMINI] })
  return join(folder, 'node_modules/@google/gemini-cli/bundle/gemini.js')
}

interface GeminiSetup {
  readonly home: string
  readonly workspace: string
  /** The vendor's address, without a version. */
  readonly upstream: string
}

/** Says one thing in the session that Gemini CLI was in last; it compresses before each answer but the first. */
export async function askGemini(program: string, text: string, setup: GeminiSetup, isFirst: boolean): Promise<string> {
  const { home, workspace, upstream } = setup
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    model: { compressionThreshold: 0.0001 },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
  }
  await mkdir(join(home, '.gemini'), { recursive: true })
  await writeFile(join(home, '.gemini/settings.json'), JSON.stringify(settings))
  const words = ['-m', 'gemini-2.5-pro', '--approval-mode', 'yolo', ...(isFirst ? [] : ['-r', 'latest']), '-p', text]
  const ran = promisify(execFile)(process.execPath, [program, ...words], {
    cwd: workspace,
    timeout: TIMEOUT_MS,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: upstream,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
  })
  ran.child.stdin?.end()
  return (await ran).stdout
}

/** By rules: it reads the file that it is asked to read, and sums up in Gemini CLI's own form. */
export function answerGemini({ messages, text }: WireRequest): WireAnswer {
  if (text.includes('state_snapshot') && !/"functionDeclarations"/.test(text)) {
    const name = /The lantern is called (\w+)/.exec(text)?.[1] ?? 'unknown'
    return { text: `<state_snapshot><key_knowledge>The lantern is called ${name}.</key_knowledge></state_snapshot>` }
  }
  const last = messages.at(-1)
  const [, path] = /Read (notes\/\S+\.md)/.exec(last?.text ?? '') ?? []
  if (path !== undefined) return { toolCalls: [{ name: 'read_file', input: { file_path: path } }] }
  return { text: last?.resultIds.length === 0 ? 'I see. Go on.' : 'I have read it.' }
}
