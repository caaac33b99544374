import type { ContextItem } from '@longhaul/protocol'
import { useClient } from '../../../api/client-context.tsx'
import { useLoaded } from '../../../api/use-loaded.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { formatCount, formatTokens } from '../../../ui/text/format.ts'
import { LoadState } from '../../../api/load-state.tsx'
import { ExactText } from './exact-text.tsx'
import { ITEM_KINDS } from './item-kinds.ts'
import { ITEM_STATES } from './item-states.ts'

export interface ItemDialogProps {
  readonly sessionId: string
  readonly item: ContextItem
  readonly onClose: () => void
}

/** One item of the window, exactly as it will be sent. */
export function ItemDialog({ sessionId, item, onClose }: ItemDialogProps) {
  const client = useClient()
  const loaded = useLoaded(() => client.getContextText(sessionId, item.id), [client, sessionId, item.id])
  const { value } = loaded
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      place="wide"
      title={ITEM_KINDS[item.kind]}
      description={`${formatTokens(item.tokens)}, ${formatCount(item.chars, 'character')}. ${ITEM_STATES[value?.state ?? item.state].explanation}`}
    >
      {value === undefined ? <LoadState loaded={loaded} what="its text" /> : <ExactText text={value.text} />}
    </Dialog>
  )
}
