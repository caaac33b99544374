import { useDeferredValue, useState } from 'react'
import { useClient } from '../api/client-context.tsx'
import { useLoaded } from '../api/use-loaded.ts'
import { LoadState } from '../api/load-state.tsx'
import { TextField } from '../ui/text-field.tsx'
import { FileList } from './file-list.tsx'
import { FileView } from './file-view.tsx'
import { MemoryHits } from './memory-hits.tsx'
import { orderFiles } from './order-files.ts'

interface Place {
  readonly name: string
  /** Counted from 1; null: the beginning. */
  readonly line: number | null
}

/** What was saved for good: readable, searchable, and nothing but files. */
export function MemoryBrowser() {
  const client = useClient()
  const [query, setQuery] = useState('')
  const [place, setPlace] = useState<Place | null>(null)
  const wanted = useDeferredValue(query.trim())
  const loaded = useLoaded(() => client.listMemoryFiles(), [client])
  if (loaded.value === undefined) return <LoadState loaded={loaded} what="the memory" />
  const files = orderFiles(loaded.value.items)
  const shown = place ?? (files[0] === undefined ? null : { name: files[0].name, line: null })
  return (
    <div className="flex h-full min-h-0 flex-col gap-4 p-4 sm:px-5">
      <p className="text-[0.8125rem] text-muted">
        Before older messages are summarised, the model writes down what must last: a file a day, and MEMORY.md for what
        is always true. Later conversations can search it.
      </p>
      {files.length === 0 ? (
        <p className="text-sm text-muted">
          Nothing has been saved yet. The first compaction of a long session usually is the first to save something.
        </p>
      ) : (
        <>
          <TextField
            type="search"
            label="Search the memory"
            placeholder="Search the memory"
            value={query}
            maxLength={2_000}
            onChange={(event) => setQuery(event.target.value)}
          />
          <div className="grid min-h-0 flex-1 gap-4 overflow-y-auto md:grid-cols-[16rem_1fr] md:overflow-visible">
            <div className="min-h-0 md:overflow-y-auto">
              {wanted === '' ? (
                <FileList
                  files={files}
                  selected={shown?.name ?? null}
                  onSelect={(name) => setPlace({ name, line: null })}
                />
              ) : (
                <MemoryHits query={wanted} onOpen={(name, line) => setPlace({ name, line })} />
              )}
            </div>
            {shown !== null && <FileView key={`${shown.name}:${shown.line}`} name={shown.name} line={shown.line} />}
          </div>
        </>
      )}
    </div>
  )
}
