import { useClient } from '../../api/client-context.tsx'
import { useLoaded } from '../../api/use-loaded.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { LoadState } from '../../api/load-state.tsx'
import { Problem } from '../../api/problem.tsx'
import { useAction } from '../../api/use-action.ts'
import { ask, describeWaiting, useHost } from '../../api/host.ts'
import { NewPin } from './new-pin.tsx'

export interface PinsTabProps {
  readonly sessionId: string
  readonly version: number
  readonly onChange: () => void
}

export function PinsTab({ sessionId, version, onChange }: PinsTabProps) {
  const client = useClient()
  const loaded = useLoaded(() => client.listPins(sessionId), [client, sessionId, version])
  const host = useHost()
  const remove = useAction(async (pinId: string) => {
    await ask(host, client.removePin(sessionId, pinId))
    onChange()
  })
  const { value } = loaded
  if (value === undefined) return <LoadState loaded={loaded} what="the pins" />
  return (
    <div className="px-4 py-4">
      <h2 className="text-sm font-semibold">Pins</h2>
      <p className="mt-1 text-[0.8125rem] text-muted">
        A <em>pin</em> is sent word for word with every request and is never summarised: rules, names, figures that must
        hold to the end. All pins together may take 5 % of the window.
      </p>
      <NewPin sessionId={sessionId} onChange={onChange} />
      {host?.waiting.some((kind) => kind === 'pin' || kind === 'unpin') === true && (
        <p role="status" className="mt-3 text-[0.8125rem] font-medium">
          {describeWaiting('The change', host)}
        </p>
      )}
      {remove.error !== undefined && (
        <div className="mt-3">
          <Problem error={remove.error} />
        </div>
      )}
      {value.items.length === 0 ? (
        <p className="mt-5 text-sm text-muted">Nothing is pinned yet.</p>
      ) : (
        <ul aria-label="Pinned texts" className="mt-4 space-y-2">
          {value.items.map(({ id, text }, index) => (
            <li key={id} className="flex items-start gap-2 rounded-xl border border-line bg-paper py-1.5 pr-1.5 pl-3">
              <span className="min-w-0 flex-1 py-1.5 text-[0.8125rem] leading-5 break-words whitespace-pre-wrap">
                {text}
              </span>
              <IconButton
                icon="trash"
                label={`Remove pin ${index + 1}`}
                disabled={remove.isRunning}
                onClick={() => remove.run(id)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
