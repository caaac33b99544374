import type { Overview } from './overview.ts'

/** Files that could not be read, with the reason. */
export function ProblemList({ problems }: Pick<Overview, 'problems'>) {
  return (
    <details className="text-[0.8125rem]">
      <summary className="cursor-pointer font-medium">What could not be read</summary>
      <ul className="mt-2 space-y-1 text-muted">
        {problems.map(({ path, line, reason }, place) => (
          <li key={place} className="break-all">
            {line === null ? path : `${path}:${line}`}: {reason}
          </li>
        ))}
      </ul>
    </details>
  )
}
