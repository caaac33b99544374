import { Icon } from '../../ui/icon.tsx'
import { explainProblem } from './explain-problem.ts'

export interface ProblemCardProps {
  readonly code: string | null
  readonly text: string
  /** It happens now; what history tells interrupts nobody. */
  readonly isNew: boolean
}

export function ProblemCard({ code, text, isNew }: ProblemCardProps) {
  const explanation = explainProblem(code)
  const headline = explanation?.headline ?? null
  return (
    <div role={isNew ? 'alert' : 'note'} className="flex gap-3 rounded-2xl bg-danger-soft px-4 py-3 text-sm">
      <Icon name="warning" className="mt-0.5 text-danger" />
      <div className="min-w-0">
        {headline !== null && <p className="font-medium">{headline}</p>}
        <p className="break-words">{headline === null ? text : `It said: ${text}`}</p>
        {explanation !== null && <p className="mt-1 text-muted">{explanation.advice}</p>}
      </div>
    </div>
  )
}
