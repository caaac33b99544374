import { useClient } from '../../api/client-context.tsx'
import { useLoaded } from '../../api/use-loaded.ts'
import { LoadState } from '../../api/load-state.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PlainText } from '../../ui/text/plain-text.tsx'
import { useSessionActions } from '../session-context.tsx'

export interface ArtifactDialogProps {
  readonly artifactId: string
  readonly onClose: () => void
}

/** A browser lays out this much text at once without stuttering; the rest is said to be there. */
const MOST_CHARS = 2_000_000

/** The whole output of a tool, as it was before it was shortened. */
export function ArtifactDialog({ artifactId, onClose }: ArtifactDialogProps) {
  const client = useClient()
  const { sessionId } = useSessionActions()
  const loaded = useLoaded(() => client.getArtifact(sessionId, artifactId), [client, sessionId, artifactId])
  const { value } = loaded
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      place="wide"
      title="The whole output"
      description={value === undefined ? 'Loading …' : describeLength(value.length)}
    >
      {value === undefined ? (
        <LoadState loaded={loaded} what="the output" />
      ) : (
        <PlainText label="The whole output" text={value.slice(0, MOST_CHARS)} />
      )}
    </Dialog>
  )
}

function describeLength(chars: number): string {
  const all = `${chars.toLocaleString('en')} characters`
  return chars > MOST_CHARS ? `${all}; the first ${MOST_CHARS.toLocaleString('en')} are shown` : all
}
