import { realpath, stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import type { AuditProblem } from '../report/audit-report.ts'
import { listOpenClawSessions } from '../read/openclaw-database.ts'
import { listOpencodeSessions } from '../read/opencode/opencode-database.ts'
import type { FoundSession } from './agent-session.ts'
import { agentFolders } from './agent-folders.ts'
import type { Whereabouts } from './agent-folders.ts'
import { describeError } from './describe-error.ts'
import { recognizeAgent } from './recognize-agent.ts'
import { walkFolder } from './walk-folder.ts'

export interface SessionSearch extends Whereabouts {
  /** Files and folders to look in; none: where the agents keep their sessions. */
  readonly paths: readonly string[]
  /** Only sessions that changed after it, in milliseconds since 1970. */
  readonly since?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface SessionsFound {
  /** In the order of agents and paths. */
  readonly sessions: readonly FoundSession[]
  readonly problems: readonly AuditProblem[]
}

/** Looks for sessions of agents. Nothing is opened for writing, and what cannot be read is told. */
export async function findSessions(search: SessionSearch): Promise<SessionsFound> {
  const { signal, since = 0 } = search
  const problems: AuditProblem[] = []
  const found = new Map<string, FoundSession>()
  const onProblem = (problem: AuditProblem): void => void problems.push(problem)

  async function add(agent: FoundSession['agent'], path: string): Promise<void> {
    try {
      for (const session of await describeFile(agent, path)) {
        if (session.changedAt >= since && !found.has(session.path)) found.set(session.path, session)
      }
    } catch (error) {
      onProblem({ path, line: null, reason: describeError(error) })
    }
  }

  if (search.paths.length === 0) {
    for (const { agent, folder, isSession } of agentFolders(search)) {
      const root = await realpath(folder).catch(() => null)
      if (root === null) continue
      const onFile = async (path: string): Promise<void> => {
        if (isSession(relative(root, path).split(sep).join('/'))) await add(agent, path)
      }
      await walkFolder(root, { onFile, onProblem, signal })
    }
  }
  for (const path of search.paths) await addPath(resolve(path), { add, onProblem, signal })
  return { sessions: [...found.values()], problems }
}

interface Finder {
  readonly add: (agent: FoundSession['agent'], path: string) => Promise<void>
  readonly onProblem: (problem: AuditProblem) => void
  readonly signal: AbortSignal | undefined
}

/** A path that a person names: what it holds is told by its content, not by its name. */
async function addPath(path: string, { add, onProblem, signal }: Finder): Promise<void> {
  const onFile = async (file: string): Promise<void> => {
    try {
      const agent = await recognizeAgent(file)
      if (agent !== null) await add(agent, file)
      else if (file === path) onProblem({ path, line: null, reason: 'in no format that is known' })
    } catch (error) {
      onProblem({ path: file, line: null, reason: describeError(error) })
    }
  }
  try {
    const root = await realpath(path)
    if (!(await stat(root)).isDirectory()) return await onFile(path)
    const inside = (file: string): Promise<void> => (MAY_BE_SESSION.test(file) ? onFile(file) : Promise.resolve())
    await walkFolder(root, { onFile: inside, onProblem, signal })
  } catch (error) {
    signal?.throwIfAborted()
    onProblem({ path, line: null, reason: describeError(error) })
  }
}

const MAY_BE_SESSION = /\.(?:jsonl|jsonl\.zst|json)$|[/\\](?:opencode[^/\\]*\.db|openclaw-agent\.sqlite)$/

async function describeFile(agent: FoundSession['agent'], path: string): Promise<readonly FoundSession[]> {
  const { size, mtimeMs } = await stat(path)
  const listed = /\.(?:db|sqlite)$/.test(path)
    ? agent === 'openclaw'
      ? listOpenClawSessions(path)
      : listOpencodeSessions(path)
    : null
  if (listed === null) return size === 0 ? [] : [{ agent, path, bytes: size, changedAt: Math.floor(mtimeMs) }]
  return listed.map(({ id, bytes, changedAt }) => ({ agent, path: `${path}#${id}`, bytes, changedAt }))
}
