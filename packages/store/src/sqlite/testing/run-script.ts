import { spawn } from 'node:child_process'
import type { SpawnOptions } from 'node:child_process'

export interface ScriptOutcome {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a module in a process of its own, `through` another program if one is named. */
export async function runScript(
  code: string,
  { through = [], ...options }: SpawnOptions & { readonly through?: readonly string[] } = {},
): Promise<ScriptOutcome> {
  const command = [...through, process.execPath, '--input-type=module-typescript', '--eval', code]
  const child = spawn(command[0] ?? '', command.slice(1), { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => resolve({ code: exitCode, signal, stdout, stderr }))
  })
}

/** An address that such a script can import from. */
export function moduleUrl(path: string): string {
  return JSON.stringify(new URL(`../${path}`, import.meta.url).href)
}
