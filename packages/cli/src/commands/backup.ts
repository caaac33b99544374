import { createMemoryFolder, restoreBackup, writeBackup } from '@longhaul/runtime'
import type { Config, Store } from '@longhaul/runtime'
import { report } from '../program/invocation.ts'
import type { Invocation } from '../program/invocation.ts'
import { withRuntime, withStore } from '../system/open-system.ts'
import { formatCount } from '../terminal/format.ts'
import { startProgress } from '../terminal/progress.ts'

/** Everything the store holds, while it is in use. Memory files are part of it. */
export async function runBackup(invocation: Invocation, file: string): Promise<void> {
  await withRuntime(invocation, async ({ store, memory }) => {
    // Files may have been edited since they were last looked at; the store follows them when asked.
    await memory.list()
    const progress = await startProgress(invocation, 'Records written')
    const info = await writeBackup(store, file, {
      signal: invocation.signal,
      onProgress: ({ records }) => progress.at(records, null),
    }).catch((error: unknown) => {
      progress.end('No backup was written.')
      throw error
    })
    const { session, entry } = info.counts
    progress.end(`${file} was written and read back`)
    report(invocation, { file, ...info }, () => [
      `${formatCount(session, 'session')} with ${formatCount(entry, 'entry', 'entries')} in ${file}`,
    ])
  })
}

/** Into an empty store, all or nothing. */
export async function runRestore(invocation: Invocation, file: string): Promise<void> {
  await withStore(invocation, async (store, config) => {
    const progress = await startProgress(invocation, 'Records read')
    const info = await restoreBackup(file, store, {
      signal: invocation.signal,
      onProgress: ({ records }) => progress.at(records, null),
    }).catch((error: unknown) => {
      progress.end('Nothing was restored.')
      throw error
    })
    const { written: memoryFiles, leftOut } = await restoreMemoryFiles(store, config)
    progress.end(`${file} is restored`)
    report(invocation, { file, ...info, memoryFiles, memoryFilesLeftOut: leftOut }, () => [
      `${formatCount(info.counts.session, 'session')} with ${formatCount(info.counts.entry, 'entry', 'entries')} from ${file}`,
      ...leftOut.map((name) => `${name} was not written: there is something else in its place (longhaul doctor)`),
    ])
  })
}

interface RestoredMemory {
  readonly written: readonly string[]
  /** Files that cannot be written, because they or their folder are links or no files. */
  readonly leftOut: readonly string[]
}

/** Where files are the truth, what has no file would be forgotten. A file that is there stays as it is. */
async function restoreMemoryFiles(store: Store, { places }: Config): Promise<RestoredMemory> {
  if (places.memoryFolder.value === null) return { written: [], leftOut: [] }
  const folder = createMemoryFolder(places.memoryFolder.value)
  const listed = await folder.list()
  const there = new Set(listed.files.map(({ name }) => name))
  const written: string[] = []
  const leftOut: string[] = []
  for (const { name } of await store.memory.list()) {
    const document = there.has(name) ? null : await store.memory.get(name)
    if (document === null) continue
    const isUsable = !listed.leftOut.some((each) => name === each || name.startsWith(`${each}/`))
    if (isUsable) await folder.append(name, document.text)
    const list = isUsable ? written : leftOut
    list.push(name)
  }
  return { written, leftOut }
}
