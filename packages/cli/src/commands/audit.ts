import { access, constants, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { createAuditPage, runAudit, shareReport } from '@longhaul/audit'
import type { AuditProblem, AuditReport } from '@longhaul/audit'
import { renderAudit } from '../cards/render-audit.ts'
import { CliError } from '../program/cli-error.ts'
import { report } from '../program/invocation.ts'
import type { ExitCode, Invocation } from '../program/invocation.ts'
import type { Since } from '../program/read-since.ts'
import { formatCount } from '../terminal/format.ts'
import { startProgress } from '../terminal/progress.ts'

export interface AuditCommandOptions {
  readonly since?: Since
  readonly window?: number
  readonly html?: string
  readonly share?: true
}

const MAX_TOLD_PROBLEMS = 5

/** Audits sessions and prints the result. It fails if a named path could not be read, but audits the rest. */
export async function runAuditCommand(
  invocation: Invocation,
  paths: readonly string[],
  options: AuditCommandOptions,
): Promise<ExitCode> {
  const { since, html, share } = options
  if (html !== undefined) await refuseUnwritable(html)
  const there = await keepExisting(invocation, paths)
  if (paths.length > 0 && there.length === 0) throw new CliError('There is nothing to audit.')
  const found = await readSessions(invocation, there, options)
  tellProblems(invocation, found, share === true)

  const home = homedir()
  const result = share === true ? shareReport(found) : found
  if (html !== undefined) await writePage(html, createAuditPage(result, { home, now: Date.now() }))
  report(invocation, { ...result, html: html ?? null }, () =>
    renderAudit(result, {
      home,
      paths,
      since: since?.words ?? null,
      width: invocation.output.width,
      paint: invocation.output.paint,
    }),
  )
  if (html !== undefined) invocation.output.note(`The page is ${html}`)
  const isFound = found.sessions.length > 0
  // Whatever else lies where agents keep their sessions is no failure.
  if (paths.length === 0) return isFound || found.problems.length === 0 ? 0 : 1
  return isFound && found.problems.length === 0 && there.length === paths.length ? 0 : 1
}

async function readSessions(
  invocation: Invocation,
  paths: readonly string[],
  { since, window }: AuditCommandOptions,
): Promise<AuditReport> {
  const progress = await startProgress(invocation, 'Percent read')
  progress.at(0, 100)
  try {
    const found = await runAudit({
      home: homedir(),
      env: invocation.environment,
      paths,
      since: since?.at ?? null,
      windowTokens: window ?? null,
      onProgress: (share) => progress.at(Math.floor(share * 100), 100),
      signal: invocation.signal,
    })
    progress.end(`${formatCount(found.sessions.length, 'session')} read`)
    return found
  } catch (error) {
    progress.end('It was not finished.')
    if (invocation.signal.aborted) throw new CliError('Stopped. Nothing was written.', { cause: error })
    throw error
  }
}

/** Said now: nobody waits for half a minute to hear that the page has no place. */
async function refuseUnwritable(file: string): Promise<void> {
  const folder = dirname(resolve(file))
  try {
    if ((await stat(file).catch(() => null))?.isDirectory() === true) throw new Error(`${file} is a folder`)
    if ((await stat(folder).catch(() => null)) === null) throw new Error(`there is no folder ${folder}`)
    await access(folder, constants.W_OK)
  } catch (cause) {
    throw new CliError(`The page cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}

async function writePage(file: string, page: string): Promise<void> {
  try {
    await writeFile(file, page)
  } catch (cause) {
    throw new CliError(`The page was not written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

async function keepExisting({ output }: Invocation, paths: readonly string[]): Promise<readonly string[]> {
  const there: string[] = []
  for (const path of paths) {
    if ((await stat(path).catch(() => null)) === null) output.note(`${path}: there is no such file or folder`)
    else there.push(path)
  }
  return there
}

/** The first few; all of them stand in the JSON. */
function tellProblems({ output }: Invocation, { problems }: AuditReport, isShared: boolean): void {
  if (isShared) return
  for (const problem of problems.slice(0, MAX_TOLD_PROBLEMS)) output.note(describeProblem(problem))
  const more = problems.length - MAX_TOLD_PROBLEMS
  if (more > 0) output.note(`${formatCount(more, 'more problem')}: --json names all of them`)
}

function describeProblem({ path, line, reason }: AuditProblem): string {
  return line === null ? `${path}: ${reason}` : `${path}:${line}: ${reason}`
}
