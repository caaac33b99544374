import { useState } from 'react'
import { useClient } from '../../app/client-context.tsx'
import type { CallPart } from '../../session/row.ts'
import { Button } from '../../ui/button.tsx'
import { useSnackbar } from '../../ui/snackbar.tsx'
import { useSessionActions } from '../session-context.tsx'

/** A call that needs a yes, in its place in the conversation. */
export function Approval({ call: { toolCallId, toolName, input, reason } }: { readonly call: CallPart }) {
  const client = useClient()
  const { sessionId } = useSessionActions()
  const show = useSnackbar()
  const [isAnswered, setIsAnswered] = useState(false)

  const answer = (allow: boolean): void => {
    setIsAnswered(true)
    client.approve(sessionId, toolCallId, allow).catch((error: unknown) => {
      setIsAnswered(false)
      show({ text: `Your answer did not arrive: ${error instanceof Error ? error.message : String(error)}` })
    })
  }

  return (
    <section
      aria-label={`Allow ${toolName}?`}
      className="my-2 rounded-2xl border border-warning/40 bg-warning-soft px-4 py-3"
    >
      <p className="text-sm font-medium">Allow “{toolName}”?</p>
      {reason !== null && <p className="mt-0.5 text-[0.8125rem] text-muted">{reason}</p>}
      <pre className="mt-2 max-h-40 overflow-auto rounded-lg bg-surface p-3 font-mono text-xs break-words whitespace-pre-wrap">
        {JSON.stringify(input, null, 2)}
      </pre>
      <div className="mt-3 flex gap-2">
        <Button look="primary" size="small" disabled={isAnswered} onClick={() => answer(true)}>
          Allow
        </Button>
        <Button size="small" disabled={isAnswered} onClick={() => answer(false)}>
          Deny
        </Button>
      </div>
    </section>
  )
}
