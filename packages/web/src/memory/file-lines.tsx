import { useEffect, useRef } from 'react'
import { joinClasses } from '../ui/join-classes.ts'

export interface FileLinesProps {
  readonly text: string
  readonly line: number | null
  /** Lines, counted from 1, that are marked as not from the user. */
  readonly untrustedLines: readonly number[]
}

/** The file as it is written; the line that was looked for is marked and in sight. */
export function FileLines({ text, line, untrustedLines }: FileLinesProps) {
  const target = useRef<HTMLLIElement>(null)
  // In newer browsers it returns a promise, which an effect must not.
  useEffect(() => {
    target.current?.scrollIntoView({ block: 'center' })
  }, [line])
  const untrusted = new Set(untrustedLines)
  return (
    <ol className="font-mono text-xs leading-5">
      {text.split('\n').map((content, index) => {
        const isTarget = index + 1 === line
        return (
          <li
            key={index}
            ref={isTarget ? target : null}
            aria-current={isTarget ? 'location' : undefined}
            className={joinClasses('flex gap-3 rounded', isTarget && 'bg-warning-soft')}
          >
            <span aria-hidden="true" className="w-10 shrink-0 text-right text-muted tabular-nums select-none">
              {index + 1}
            </span>
            <span
              className={joinClasses(
                'min-w-0 break-words whitespace-pre-wrap',
                untrusted.has(index + 1) && 'text-muted italic',
              )}
            >
              {content}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
