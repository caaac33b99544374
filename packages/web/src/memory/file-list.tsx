import { formatWhen } from '../ui/text/format.ts'
import type { NamedFile } from './order-files.ts'

export interface FileListProps {
  readonly files: readonly NamedFile[]
  readonly selected: string | null
  readonly onSelect: (name: string) => void
}

export function FileList({ files, selected, onSelect }: FileListProps) {
  return (
    <ul aria-label="Memory files" className="space-y-0.5">
      {files.map(({ name, title, updatedAt }) => (
        <li key={name}>
          <button
            type="button"
            aria-current={name === selected}
            onClick={() => onSelect(name)}
            className="w-full rounded-lg px-3 py-2 text-left hover:bg-hover aria-[current=true]:bg-accent-soft"
          >
            <span className="block text-sm font-medium">{title}</span>
            <span className="block truncate text-xs text-muted">
              {name}, changed {formatWhen(updatedAt)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
