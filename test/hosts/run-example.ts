import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startWireServer } from '@longhaul/models/testing'
import { expect } from 'vitest'
import { readStored } from './read-stored.ts'
import { join } from 'node:path'

export interface Example {
  /** The name of the package, below `@longhaul`. */
  readonly name: string
  /** A program that answers each line it reads, and keeps the conversation in `sessions.db`. */
  readonly program: string
  readonly folder: string
}

const ANSWER = 'Water the beds.'

export const QUESTIONS = ['What is to do?', 'And then?']

/**
 * Runs the example of a README, with two messages of a user, against a model that always says the same. Returns the
 * messages of the user that are stored then.
 */
export async function runExample({ name, program, folder }: Example): Promise<readonly string[]> {
  const server = await startWireServer({ otherwise: { text: ANSWER } })
  try {
    const keys = { OPENAI_BASE_URL: server.baseURL, OPENAI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1' }
    const env = { ...process.env, ...keys }
    const child = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] })
    let printed = ''
    child.stdout.on('data', (data: Buffer) => void (printed += data.toString()))
    child.stdin.end(`${QUESTIONS.join('\n')}\n`)
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(printed.replaceAll('\n', '')).toBe(ANSWER.repeat(2))
    expect(server.requests).toHaveLength(2)
    return (await readStored(join(folder, 'sessions.db'), name)).said
  } finally {
    await server.close()
  }
}
