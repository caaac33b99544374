import type { ContextReport } from '@longhaul/protocol'
import { formatNumber } from '../../ui/text/format.ts'
import { PlainText } from '../../ui/text/plain-text.tsx'
import { useSessionActions } from '../session-context.tsx'
import { Facts } from './facts.tsx'

export interface ContextAnswerProps {
  readonly form: 'list' | 'detail' | 'json'
  readonly report: ContextReport
}

/** As a table or as JSON; the panel shows the same with every text. */
export function ContextAnswer({ form, report }: ContextAnswerProps) {
  const { openContext } = useSessionActions()
  if (form === 'json')
    return <PlainText label="The context as JSON" text={JSON.stringify(report, null, 2)} className="max-h-96" />
  return (
    <>
      <div className="max-h-80 overflow-y-auto">
        <Facts facts={form === 'list' ? sumByKind(report) : listItems(report)} />
      </div>
      <button
        type="button"
        onClick={openContext}
        className="mt-2 font-medium text-accent underline-offset-4 hover:underline"
      >
        Show it in the context panel
      </button>
    </>
  )
}

function sumByKind({ items }: ContextReport): readonly (readonly [string, string])[] {
  const sums = new Map<string, number>()
  for (const { kind, tokens } of items) sums.set(kind, (sums.get(kind) ?? 0) + tokens)
  return [...sums].map(([kind, tokens]) => [kind, `${formatNumber(tokens)} tokens`])
}

function listItems({ items }: ContextReport): readonly (readonly [string, string])[] {
  return items.map(({ label, kind, tokens, state }, index) => [
    `${index + 1}. ${label}`,
    `${kind}, ${formatNumber(tokens)} tokens${state === 'verbatim' ? '' : `, ${state}`}`,
  ])
}
