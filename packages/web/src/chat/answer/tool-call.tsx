import { showHidden } from '@longhaul/engine/display'
import type { CallPart } from '../../session/row.ts'
import { Icon } from '../../ui/icon.tsx'
import { PlainText } from '../../ui/text/plain-text.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Approval } from './approval.tsx'
import { Foldable } from './foldable.tsx'
import { findMainArgument } from './main-argument.ts'
import { ToolOutput } from './tool-output.tsx'

const STATES = {
  asking: 'waits for you',
  running: 'running',
  done: 'done',
  failed: 'failed',
  lost: 'interrupted',
} as const satisfies Record<CallPart['state'], string>

/** One call on one line; what went in and what came out unfold below it. */
export function ToolCall({ call }: { readonly call: CallPart }) {
  return (
    <div>
      <Foldable line={<CallLine call={call} />}>
        {() => (
          <div className="space-y-3 py-1">
            <section>
              <p className="mb-1 text-xs font-medium text-muted">Input</p>
              <PlainText label="Input" text={JSON.stringify(call.input, null, 2)} className="max-h-72" />
            </section>
            {call.result !== null && <ToolOutput result={call.result} />}
          </div>
        )}
      </Foldable>
      {call.state === 'asking' && <Approval call={call} />}
    </div>
  )
}

function CallLine({ call: { toolName, input, state } }: { readonly call: CallPart }) {
  const argument = findMainArgument(input)
  return (
    <>
      <Icon name="wrench" className="size-3.5" />
      <span className="shrink-0 font-medium text-ink">{showHidden(toolName)}</span>
      {argument !== '' && <span className="min-w-0 truncate font-mono text-xs">{argument}</span>}
      <span className="ml-1 flex shrink-0 items-center">
        {state === 'running' ? <Spinner className="size-3.5" /> : <CallMark state={state} />}
        <span className={state === 'failed' || state === 'asking' ? 'ml-1' : 'sr-only'}>{STATES[state]}</span>
      </span>
    </>
  )
}

function CallMark({ state }: { readonly state: Exclude<CallPart['state'], 'running'> }) {
  if (state === 'done') return <Icon name="check" className="size-3.5 text-success" />
  if (state === 'failed') return <Icon name="close" className="size-3.5 text-danger" />
  return <Icon name="warning" className="size-3.5 text-warning" />
}
