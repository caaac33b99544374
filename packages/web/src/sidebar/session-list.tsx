import type { Session } from '@longhaul/protocol'
import { useState } from 'react'
import { useClient } from '../api/client-context.tsx'
import { describeError } from '../api/describe-error.ts'
import { LoadState } from '../api/load-state.tsx'
import { Button } from '../ui/button.tsx'
import { useSnackbar } from '../ui/snackbar.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { saveFile } from '../ui/save-file.ts'
import { SessionItem } from './session-item.tsx'
import { useSessions } from './use-sessions.ts'

export interface SessionListProps {
  readonly query: string
  readonly openId: string | null
  readonly version: number
  readonly onChanged: () => void
  readonly onDeleted: (sessionId: string) => void
}

export function SessionList({ query, openId, version, onChanged, onDeleted }: SessionListProps) {
  const client = useClient()
  const show = useSnackbar()
  const sessions = useSessions(query, version)
  const [renamed, setRenamed] = useState<Session | null>(null)
  const [deleted, setDeleted] = useState<Session | null>(null)
  const { value } = sessions

  const exportSession = async ({ id }: Session): Promise<void> => {
    try {
      saveFile(await client.exportSession(id), `${id}.jsonl`)
    } catch (error) {
      show({ text: `It could not be exported: ${describeError(error)}` })
    }
  }

  if (value === undefined) return <LoadState loaded={sessions} what="your chats" />
  return (
    <>
      {value.items.length === 0 && (
        <p className="px-4 py-6 text-sm text-muted">
          {query === '' ? 'No chats yet.' : `Nothing found for “${query}”.`}
        </p>
      )}
      <ul className="space-y-0.5 px-2">
        {value.items.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            isOpen={session.id === openId}
            onRename={() => setRenamed(session)}
            onExport={() => void exportSession(session)}
            onDelete={() => setDeleted(session)}
          />
        ))}
      </ul>
      {value.hasMore && (
        <Button look="quiet" size="small" className="mx-auto my-2 flex" onClick={sessions.loadMore}>
          Show more
        </Button>
      )}
      {renamed !== null && <RenameDialog session={renamed} onClose={() => setRenamed(null)} onRenamed={onChanged} />}
      {deleted !== null && (
        <DeleteDialog session={deleted} onClose={() => setDeleted(null)} onDeleted={() => onDeleted(deleted.id)} />
      )}
    </>
  )
}
