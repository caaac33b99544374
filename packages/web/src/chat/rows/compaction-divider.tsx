import type { Compaction } from '@longhaul/protocol'
import { Icon } from '../../ui/icon.tsx'
import { formatShort } from '../../ui/text/format.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useSessionActions } from '../session-context.tsx'

/** Where the context was made smaller. Everything above is still here to read. */
export function CompactionDivider({ compaction }: { readonly compaction: Compaction }) {
  const { openCompaction } = useSessionActions()
  const { id, tokensBefore, tokensAfter, undone } = compaction
  return (
    <div className="flex items-center gap-3 text-xs text-muted">
      <span className="h-px flex-1 bg-line" />
      <Tooltip
        text={
          undone
            ? 'Taken back: the model reads the messages themselves again.'
            : 'For the model, a summary stands for the older messages above. You still have all of them.'
        }
      >
        <button
          type="button"
          onClick={() => openCompaction(id)}
          className="flex items-center gap-1 rounded-lg py-1 pr-1 pl-2 hover:bg-hover hover:text-ink"
        >
          <span>
            {undone ? 'Compaction, undone' : 'Context compacted'} · {formatShort(tokensBefore)} →{' '}
            {formatShort(tokensAfter)} tokens
          </span>
          <Icon name="chevron-right" className="size-3.5" />
        </button>
      </Tooltip>
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}
