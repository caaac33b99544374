import { spawn } from 'node:child_process'
import type { Boundary, BoundaryOptions } from './boundary.ts'
import { createBubblewrapSandbox, createHidingBoundary } from './bubblewrap.ts'
import { createDockerBoundary } from './docker.ts'
import { NO_BOUNDARY } from './no-boundary.ts'
import { createProcessNamespace } from './process-namespace.ts'

/** A container engine may have to fetch the image first. */
const PROBE_MS = 60_000

/** Either the boundary that commands run in, or the reason why the configured one cannot be used. */
export type ChosenBoundary = { readonly boundary: Boundary } | { readonly problem: string }

/** The boundaries that fit the configuration, the strongest first. */
export function listBoundaries(options: BoundaryOptions): readonly Boundary[] {
  switch (options.sandbox) {
    case 'auto':
      return process.platform === 'linux'
        ? [createHidingBoundary(options), createProcessNamespace('root'), createProcessNamespace('user'), NO_BOUNDARY]
        : [NO_BOUNDARY]
    case 'bubblewrap':
      return [createBubblewrapSandbox(options)]
    case 'docker':
      return [createDockerBoundary(options)]
    case 'none':
      return [NO_BOUNDARY]
    default:
      return options.sandbox satisfies never
  }
}

/** The first boundary in which `true` runs. A sandbox that was asked for by name is never replaced by a weaker one. */
export async function chooseBoundary(options: BoundaryOptions): Promise<ChosenBoundary> {
  let problem = ''
  for (const boundary of listBoundaries(options)) {
    if (boundary === NO_BOUNDARY) return { boundary }
    problem = await probe(boundary, options)
    if (problem === '') return { boundary }
  }
  return { problem: `tools.command.sandbox is "${options.sandbox}", which cannot be used here: ${problem}` }
}

/** Empty: it works. */
function probe(boundary: Boundary, { folder, environment }: BoundaryOptions): Promise<string> {
  const { file, arguments: words } = boundary.wrap('true', `probe-${process.pid}`)
  return new Promise((resolve) => {
    const child = spawn(file, words, {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe', ...(boundary.isNamespaced ? (['ignore'] as const) : [])],
      timeout: PROBE_MS,
    })
    let complaint = ''
    child.stderr?.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(0, 500)))
    child.once('error', (error) => resolve(`${file} cannot be started (${error.message})`))
    child.once('close', (code) => resolve(code === 0 ? '' : complaint.trim() || `${file} ended with ${code}`))
  })
}
