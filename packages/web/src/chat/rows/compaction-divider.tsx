import type { Compaction } from '@longhaul/protocol'
import { formatShort } from '../../ui/text/format.ts'
import { useSessionActions } from '../session-context.tsx'

/** Where the context was made smaller. Everything above is still here to read. */
export function CompactionDivider({ compaction }: { readonly compaction: Compaction }) {
  const { openContext } = useSessionActions()
  const { tokensBefore, tokensAfter, undone } = compaction
  return (
    <div className="flex items-center gap-3 text-xs text-muted">
      <span className="h-px flex-1 bg-line" />
      <button type="button" onClick={openContext} className="rounded-lg px-2 py-1 hover:bg-hover hover:text-ink">
        {undone ? 'Compaction, undone' : 'Context compacted'} · {formatShort(tokensBefore)} → {formatShort(tokensAfter)}{' '}
        tokens
      </button>
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}
