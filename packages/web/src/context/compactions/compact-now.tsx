import { useId, useState } from 'react'
import { useClient } from '../../api/client-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Problem } from '../../api/problem.tsx'
import { useAction } from '../../api/use-action.ts'
import { ask, describeWaiting, useHost } from '../../api/host.ts'

export interface CompactNowProps {
  readonly sessionId: string
  readonly onChange: () => void
}

/** Compacts when its user wants it, with a word on what matters. */
export function CompactNow({ sessionId, onChange }: CompactNowProps) {
  const client = useClient()
  const hintId = useId()
  const [instructions, setInstructions] = useState('')
  const host = useHost()
  const compact = useAction(async () => {
    const wish = instructions.trim()
    await ask(host, client.compact(sessionId, wish === '' ? undefined : wish))
    setInstructions('')
    onChange()
  })
  return (
    <form
      className="mt-4 rounded-2xl border border-line bg-paper p-3"
      onSubmit={(event) => {
        event.preventDefault()
        compact.run()
      }}
    >
      <div className="flex flex-wrap gap-2">
        <TextField
          label="What the summary should keep in view (optional)"
          placeholder="What to keep in view"
          aria-describedby={hintId}
          value={instructions}
          maxLength={10_000}
          className="min-w-40 flex-1"
          onChange={(event) => setInstructions(event.target.value)}
        />
        <Button type="submit" look="primary" disabled={compact.isRunning}>
          {compact.isRunning && <Spinner />}
          Compact now
        </Button>
      </div>
      <p id={hintId} className="mt-2 text-xs text-muted">
        Longhaul compacts by itself in time. Do it now if a chapter is closed, and say what to keep in view.
      </p>
      {host?.waiting.includes('compact') === true && (
        <p role="status" className="mt-2 text-[0.8125rem] font-medium">
          {describeWaiting('The compaction', host)}
        </p>
      )}
      {compact.isRunning && (
        <p role="status" className="mt-2 text-xs text-muted">
          Optimizing conversation context…
        </p>
      )}
      {compact.error !== undefined && (
        <div className="mt-2">
          <Problem error={compact.error} />
        </div>
      )}
    </form>
  )
}
