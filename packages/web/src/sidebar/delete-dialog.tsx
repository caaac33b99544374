import type { Session } from '@longhaul/protocol'
import { useClient } from '../api/client-context.tsx'
import { Problem } from '../api/problem.tsx'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { titleOf } from './title-of.ts'

export interface DeleteDialogProps {
  readonly session: Session
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteDialog({ session, onClose, onDeleted }: DeleteDialogProps) {
  const client = useClient()
  const remove = useAction(async () => {
    await client.deleteSession(session.id)
    onDeleted()
    onClose()
  })
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Delete this chat?"
      description={`“${titleOf(session)}” will no longer be listed. Export it first if you may want it back.`}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" onClick={() => remove.run()}>
            Delete
          </Button>
        </>
      }
    >
      {remove.error !== undefined && <Problem error={remove.error} />}
    </Dialog>
  )
}
