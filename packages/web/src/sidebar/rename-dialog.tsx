import type { Session } from '@longhaul/protocol'
import { useState } from 'react'
import { useClient } from '../api/client-context.tsx'
import { Problem } from '../api/problem.tsx'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { titleOf } from './title-of.ts'

export interface RenameDialogProps {
  readonly session: Session
  readonly onClose: () => void
  readonly onRenamed: () => void
}

export function RenameDialog({ session, onClose, onRenamed }: RenameDialogProps) {
  const client = useClient()
  const [title, setTitle] = useState(titleOf(session))
  const save = useAction(async () => {
    await client.changeSession(session.id, { title: title.trim() })
    onRenamed()
    onClose()
  })
  return (
    <Dialog isOpen onOpenChange={onClose} title="Rename this chat">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.run()
        }}
        className="space-y-4 pt-2"
      >
        <TextField
          label="Title"
          value={title}
          maxLength={200}
          autoFocus
          onFocus={(event) => event.target.select()}
          onChange={(event) => setTitle(event.target.value)}
        />
        {save.error !== undefined && <Problem error={save.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={title.trim() === ''}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
