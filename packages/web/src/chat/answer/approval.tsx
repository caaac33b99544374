import { showHidden } from '@longhaul/engine/display'
import { useState } from 'react'
import { useClient } from '../../api/client-context.tsx'
import { describeError } from '../../api/describe-error.ts'
import type { CallPart } from '../../session/row.ts'
import { Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/text/plain-text.tsx'
import { useSnackbar } from '../../ui/snackbar.tsx'
import { useSessionActions } from '../session-context.tsx'
import { HowToApprove, useMayApprove } from './may-approve.tsx'

/** A call that needs a yes, in its place in the conversation. */
export function Approval({ call: { toolCallId, toolName, display } }: { readonly call: CallPart }) {
  const client = useClient()
  const { sessionId } = useSessionActions()
  const show = useSnackbar()
  const [isAnswered, setIsAnswered] = useState(false)
  const shownName = showHidden(toolName)
  const mayApprove = useMayApprove()

  const answer = (allow: boolean): void => {
    setIsAnswered(true)
    client.approve(sessionId, toolCallId, allow).catch((error: unknown) => {
      setIsAnswered(false)
      show({ text: `Your answer did not arrive: ${describeError(error)}` })
    })
  }

  return (
    <section
      aria-label={`Allow ${shownName}?`}
      className="my-2 rounded-2xl border border-warning/40 bg-warning-soft px-4 py-3"
    >
      <p className="text-sm font-medium">Allow “{shownName}”?</p>
      <PlainText label="What it wants to do" text={display ?? ''} className="mt-2 max-h-72" />
      {!mayApprove && <HowToApprove />}
      <div className="mt-3 flex gap-2">
        <Button look="primary" size="small" disabled={isAnswered || !mayApprove} onClick={() => answer(true)}>
          Allow
        </Button>
        <Button size="small" disabled={isAnswered} onClick={() => answer(false)}>
          Deny
        </Button>
      </div>
    </section>
  )
}
