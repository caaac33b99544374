import type { CommandOutcome } from '../../session/conversation.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { CommandAnswer } from './command-answer.tsx'

export interface CommandCardProps {
  readonly line: string
  readonly outcome: CommandOutcome
  readonly onClose: () => void
}

/** A slash command and what came of it. Only this page shows it: the model never reads it. */
export function CommandCard({ line, outcome, onClose }: CommandCardProps) {
  return (
    <section aria-label={`Command ${line}`} className="rounded-2xl border border-line bg-surface">
      <header className="flex items-center gap-2 border-b border-line py-1.5 pr-1.5 pl-4">
        <code className="min-w-0 flex-1 truncate font-mono text-[0.8125rem] text-muted">{line}</code>
        <IconButton icon="close" label="Remove this card" className="size-8" onClick={onClose} />
      </header>
      <div className="px-4 py-3 text-sm">
        <Outcome outcome={outcome} />
      </div>
    </section>
  )
}

function Outcome({ outcome }: { readonly outcome: CommandOutcome }) {
  switch (outcome.state) {
    case 'running':
      return <Spinner label="The command is running" />
    case 'failed':
      return <p className="text-danger">{outcome.problem}</p>
    case 'done':
      return <CommandAnswer result={outcome.result} />
    default:
      outcome satisfies never
      return null
  }
}
