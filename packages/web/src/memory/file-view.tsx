import { useState } from 'react'
import { useClient } from '../api/client-context.tsx'
import { useLoaded } from '../api/use-loaded.ts'
import { LoadState } from '../api/load-state.tsx'
import { AboutUntrusted } from '../ui/about-untrusted.tsx'
import { Button } from '../ui/button.tsx'
import { Markdown } from '../ui/text/markdown.tsx'
import { FileLines } from './file-lines.tsx'
import { titleOf } from './order-files.ts'

export interface FileViewProps {
  readonly name: string
  /** The line to show, counted from 1; null: the file from its beginning. */
  readonly line: number | null
}

/** A memory file to read; as it is written, with line numbers, when a line is looked for. */
export function FileView({ name, line }: FileViewProps) {
  const client = useClient()
  const loaded = useLoaded(() => client.getMemoryFile(name), [client, name])
  const [isPlain, setIsPlain] = useState(line !== null)
  const { value } = loaded
  return (
    <section aria-label={titleOf(name)} className="flex min-h-0 flex-col rounded-2xl border border-line bg-surface p-4">
      <div className="flex items-center gap-2 border-b border-line pb-2">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-sm font-semibold">{titleOf(name)}</h2>
          <p className="truncate text-xs text-muted">{name}</p>
        </div>
        <Button
          size="small"
          className="aria-pressed:bg-accent-soft"
          aria-pressed={isPlain}
          onClick={() => setIsPlain(!isPlain)}
        >
          Line numbers
        </Button>
      </div>
      {value === undefined ? (
        <LoadState loaded={loaded} what="the file" />
      ) : (
        <div tabIndex={0} role="group" aria-label={`Text of ${name}`} className="min-h-0 flex-1 overflow-y-auto pt-3">
          {value.untrustedLines.length > 0 && <AboutUntrusted className="pb-3" />}
          {isPlain ? (
            <FileLines text={value.text} line={line} untrustedLines={value.untrustedLines} />
          ) : (
            <Markdown text={value.text} />
          )}
        </div>
      )}
    </section>
  )
}
