import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Command lines that hold this text, each behind its pid, of all processes that this user sees. */
export function findProcesses(text: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    const line = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
    return line.includes(text) ? [`${pid}: ${line}`] : []
  })
}

/** Looks again until it is true, or the time is over. */
export async function waitUntil(isTrue: () => boolean, maxMs = 30_000): Promise<boolean> {
  for (const end = performance.now() + maxMs; performance.now() < end; await sleep(50)) if (isTrue()) return true
  return isTrue()
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
