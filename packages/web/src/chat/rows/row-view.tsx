import type { WaitingMessage as Waiting } from '../../session/conversation.ts'
import type { Row } from '../../session/row.ts'
import { Answer } from '../answer/answer.tsx'
import { AskedMessage } from './asked-message.tsx'
import { CommandCard } from '../commands/command-card.tsx'
import { CompactionDivider } from './compaction-divider.tsx'
import { ProblemCard } from './problem-card.tsx'
import { WaitingMessage } from './waiting-message.tsx'
import { WorkingRow } from './working-row.tsx'

export interface RowHandlers {
  readonly onSendAgain: (message: Waiting) => void
  readonly onDiscard: (messageId: string) => void
  readonly onCloseCard: (cardId: string) => void
}

export function RowView({ row, handlers }: { readonly row: Row; readonly handlers: RowHandlers }) {
  switch (row.kind) {
    case 'asked':
      return <AskedMessage row={row} />
    case 'answer':
      return <Answer row={row} />
    case 'compaction':
      return <CompactionDivider compaction={row.compaction} />
    case 'card':
      return <CardView row={row} onClose={handlers.onCloseCard} />
    case 'failure':
      return <ProblemCard code={row.failure.code} text={row.failure.message} isNew={false} />
    case 'waiting':
      return <WaitingMessage message={row.message} {...handlers} />
    case 'working':
      return <WorkingRow />
    default:
      row satisfies never
      return null
  }
}

interface CardViewProps {
  readonly row: Extract<Row, { kind: 'card' }>
  readonly onClose: (cardId: string) => void
}

function CardView({ row: { card }, onClose }: CardViewProps) {
  switch (card.type) {
    case 'problem':
      return <ProblemCard code={card.code} text={card.text} isNew />
    case 'notice':
      return <p className="text-center text-[0.8125rem] text-muted">{card.text}</p>
    case 'command':
      return <CommandCard line={card.line} outcome={card.outcome} onClose={() => onClose(card.id)} />
    default:
      card satisfies never
      return null
  }
}
