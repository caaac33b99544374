import type { ProcessInfo, ProcessTable } from './process-table.ts'

/** What is known of a command, to recognize whatever it started. */
export interface CommandTrace {
  /** The process that was started for the command. */
  readonly root: Pick<ProcessInfo, 'pid' | 'startedAt'>
  /** `NAME=value`: the variable that stands in the environment of every process of this command, and of no other. */
  readonly marker: string
  /** The command's ends of its output channels. */
  readonly outputs: readonly string[]
}

/** Names one process for good: a pid is given to another process some time after it is free. */
export function identify({ pid, startedAt }: Pick<ProcessInfo, 'pid' | 'startedAt'>): string {
  return `${pid}:${startedAt}`
}

/**
 * All live processes of a command: by its session and group, by their parents, by the marker in their environment, by
 * the output channel they hold, and because they were found before, when a parent that has ended since still showed
 * where they came from. Nothing older than the command is ever found, nor this process itself.
 */
export function findTree(
  table: ProcessTable,
  { root, marker, outputs }: CommandTrace,
  foundBefore: ReadonlySet<string> = new Set(),
): readonly ProcessInfo[] {
  const candidates = [...table.processes.values()].filter(
    ({ pid, startedAt, isZombie }) => startedAt >= root.startedAt && !isZombie && pid !== process.pid,
  )
  const first = table.processes.get(root.pid)
  // Once the pid belongs to another process, so may a session and a group of that number.
  const isReused = first !== undefined && first.startedAt !== root.startedAt
  const sessions = new Set(isReused ? [] : [root.pid])
  const hasMarker = (pid: number): boolean => `\0${table.environmentOf(pid)}`.includes(`\0${marker}\0`)
  const hasOutput = (pid: number): boolean => table.channelsOf(pid).some((channel) => outputs.includes(channel))

  const found = new Map<number, ProcessInfo>()
  const belongs = (info: ProcessInfo): boolean =>
    sessions.has(info.session) ||
    sessions.has(info.group) ||
    found.has(info.parent) ||
    foundBefore.has(identify(info)) ||
    hasMarker(info.pid) ||
    hasOutput(info.pid)
  for (let before = -1; before < found.size;) {
    before = found.size
    for (const info of candidates) {
      if (found.has(info.pid) || !belongs(info)) continue
      found.set(info.pid, info)
      sessions.add(info.session)
    }
  }
  return [...found.values()]
}
