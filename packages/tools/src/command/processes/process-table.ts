import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** Tells two processes apart that had the same pid one after the other. Clock ticks on Linux, else milliseconds. */
  readonly startedAt: number
  /** It has ended, and only its parent has yet to notice. */
  readonly isZombie: boolean
  readonly name: string
}

/** All processes of this machine at one moment. */
export interface ProcessTable {
  readonly processes: ReadonlyMap<number, ProcessInfo>
  /** The variables a process was started with, each ended by `\0`; empty where nobody may look. */
  readonly environmentOf: (pid: number) => string
  /** Names of the pipes and sockets that a process holds. */
  readonly channelsOf: (pid: number) => readonly string[]
}

const hasProc = process.platform === 'linux'

export function readProcessTable(): ProcessTable {
  const list = hasProc ? readProc() : readPs()
  const processes = new Map(list.map((info) => [info.pid, info]))
  if (!hasProc) return { processes, environmentOf: () => '', channelsOf: () => [] }
  return {
    processes,
    environmentOf: remember((pid) => readOr(() => readFileSync(`/proc/${pid}/environ`, 'latin1'), '')),
    channelsOf: remember((pid) =>
      readOr(() => readdirSync(`/proc/${pid}/fd`), []).flatMap((fd) => readChannel(pid, fd)),
    ),
  }
}

/** One process as it is now; null: there is none with this pid. */
export function readProcess(pid: number): ProcessInfo | null {
  return hasProc ? readStat(pid) : (readProcessTable().processes.get(pid) ?? null)
}

/** What stands behind a file descriptor of a process, if it is a pipe or a socket. */
export function readChannel(pid: number, descriptor: number | string): readonly string[] {
  const target = readOr(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`), '')
  return /^(?:pipe|socket):/.test(target) ? [target] : []
}

function readProc(): readonly ProcessInfo[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []))
}

/** The name stands in brackets and may hold any character; the fields are counted from its end. */
function readStat(pid: number): ProcessInfo | null {
  const text = readOr(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '')
  const nameEnd = text.lastIndexOf(')')
  if (nameEnd === -1) return null
  const fields = text.slice(nameEnd + 2).split(' ')
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startedAt: Number(fields[19]),
    isZombie: fields[0] === 'Z' || fields[0] === 'X',
    name: text.slice(text.indexOf('(') + 1, nameEnd),
  }
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/

/** Systems without /proc tell neither sessions nor variables: groups and parents have to do. */
function readPs(): readonly ProcessInfo[] {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid=,pgid=,state=,lstart=,comm='], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, state = '', start = '', name = ''] = PS_LINE.exec(line) ?? []
    if (pid === undefined) return []
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group) }
    return [{ ...numbers, startedAt: Date.parse(start), isZombie: state.startsWith('Z'), name }]
  })
}

function remember<T>(read: (pid: number) => T): (pid: number) => T {
  const known = new Map<number, T>()
  return (pid) => {
    const found = known.get(pid) ?? read(pid)
    known.set(pid, found)
    return found
  }
}

/** A process may end, or belong to somebody else, at any moment. */
function readOr<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}
