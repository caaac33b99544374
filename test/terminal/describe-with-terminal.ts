import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import type { WireAnswer, WireRequest, WireServer } from '@longhaul/models/testing'
import { describe, onTestFinished } from 'vitest'
import { leaveOut } from '../left-out.ts'
import { findTerminalProblem, startTerminal } from './start-terminal.ts'
import type { TerminalOptions, TestTerminal } from './start-terminal.ts'

/** Declares tests that need a pseudo-terminal. Where there is none they are left out, and the end of the report says so. */
export function describeWithTerminal(title: string, body: () => void): void {
  describe(title, () => {
    const problem = findTerminalProblem()
    if (problem === null) body()
    else leaveOut('needs a pseudo-terminal', `@lydell/node-pty does not work here: ${problem}`)
  })
}

/** A data folder of its own, removed when the test ends. */
export async function createDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-terminal-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A program on the terminal, ended with the test. No key of whoever runs the tests reaches it. */
export function openTerminal(folder: string, options: TerminalOptions): TestTerminal {
  const environment = {
    LONGHAUL_DATA: folder,
    LONGHAUL_CONFIG: join(folder, 'config.json5'),
    LONGHAUL_STORE: '',
    ANTHROPIC_API_KEY: '',
    OPENAI_API_KEY: '',
    GOOGLE_GENERATIVE_AI_API_KEY: '',
    ...options.environment,
  }
  const terminal = startTerminal({ ...options, environment })
  onTestFinished(() => terminal.close())
  return terminal
}

export interface ModelScript {
  /** To what the user says, in order. */
  readonly replies?: readonly WireAnswer[]
  /** Once they are used up. */
  readonly otherwise?: (request: WireRequest) => WireAnswer
  readonly summary?: WireAnswer
  /** More of the configuration file. */
  readonly config?: string
}

/** A model that follows a script, behind a real connection, and the configuration that names it. */
export async function serveModel(folder: string, script: ModelScript): Promise<WireServer> {
  const { otherwise = () => ({ text: 'Fine.' }), summary = { text: 'A summary.' }, config = '' } = script
  const replies = [...(script.replies ?? [])]
  const server = await startWireServer({
    // What is asked beside the conversation comes without tools.
    otherwise(request) {
      if (request.body['tools'] !== undefined) return replies.shift() ?? otherwise(request)
      return request.text.includes('You name conversations') ? { text: 'A title' } : summary
    },
  })
  onTestFinished(() => server.close())
  const models = '{ m: { contextWindow: 32768, maxOutput: 4096 }, other: { contextWindow: 32768, maxOutput: 4096 } }'
  const provider = `{ type: "openai-compatible", baseURL: "${server.baseURL}", models: ${models} }`
  const text = `{ providers: { local: ${provider} }, agents: { defaults: { model: "local/m" } }, ${config} }`
  await writeFile(join(folder, 'config.json5'), text)
  return server
}
