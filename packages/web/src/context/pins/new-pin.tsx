import { useId, useState } from 'react'
import { useClient } from '../../api/client-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../api/problem.tsx'
import { useAction } from '../../api/use-action.ts'
import { ask, useHost } from '../../api/host.ts'

export interface NewPinProps {
  readonly sessionId: string
  readonly onChange: () => void
}

export function NewPin({ sessionId, onChange }: NewPinProps) {
  const client = useClient()
  const fieldId = useId()
  const [text, setText] = useState('')
  const host = useHost()
  const add = useAction(async () => {
    await ask(host, client.addPin(sessionId, text.trim()))
    setText('')
    onChange()
  })
  return (
    <form
      className="mt-4 space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        add.run()
      }}
    >
      <label htmlFor={fieldId} className="block text-[0.8125rem] font-medium">
        New pin
      </label>
      <textarea
        id={fieldId}
        rows={3}
        value={text}
        placeholder="Answer in British English. The budget is 4,200 €."
        onChange={(event) => setText(event.target.value)}
        className="w-full rounded-xl border border-line bg-surface px-3 py-2 text-sm placeholder:text-muted focus-visible:border-accent focus-visible:outline-offset-0"
      />
      {add.error !== undefined && <Problem error={add.error} />}
      <Button type="submit" look="primary" size="small" disabled={add.isRunning || text.trim() === ''}>
        Pin it
      </Button>
    </form>
  )
}
