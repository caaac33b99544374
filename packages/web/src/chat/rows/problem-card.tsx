import { Icon } from '../../ui/icon.tsx'
import { explainProblem } from './explain-problem.ts'

export interface ProblemCardProps {
  readonly code: string | null
  readonly text: string
}

export function ProblemCard({ code, text }: ProblemCardProps) {
  const advice = explainProblem(code)
  return (
    <div role="alert" className="flex gap-3 rounded-2xl bg-danger-soft px-4 py-3 text-sm">
      <Icon name="warning" className="mt-0.5 text-danger" />
      <div className="min-w-0">
        <p className="break-words">{text}</p>
        {advice !== null && <p className="mt-1 text-muted">{advice}</p>}
      </div>
    </div>
  )
}
