import { joinClasses } from '../ui/join-classes.ts'
import type { GaugeReading } from './read-gauge.ts'

const FILLS: Readonly<Record<GaugeReading['level'], string>> = {
  calm: 'bg-accent',
  near: 'bg-warning',
  due: 'bg-danger',
  unknown: 'bg-line-strong',
}

/** For the eye only: the words beside it say the same. */
export function GaugeBar({ reading, isTall = false }: { readonly reading: GaugeReading; readonly isTall?: boolean }) {
  const { fill, mark, level } = reading
  return (
    <span aria-hidden="true" className={joinClasses('relative block w-full', isTall ? 'h-3' : 'h-1.5')}>
      <span
        className={joinClasses(
          'absolute inset-0 overflow-hidden rounded-full bg-line',
          fill === null && 'border border-dashed border-line-strong bg-transparent',
        )}
      >
        {fill !== null && (
          <span
            className={joinClasses(
              'absolute inset-y-0 left-0 rounded-full transition-[width] duration-700',
              FILLS[level],
            )}
            style={{ width: `max(${fill * 100}%, 3px)` }}
          />
        )}
      </span>
      {mark !== null && (
        <span
          className={joinClasses('absolute w-0.5 rounded-full bg-ink', isTall ? '-inset-y-1' : '-inset-y-0.5')}
          style={{ left: `calc(${mark * 100}% - 1px)` }}
        />
      )}
    </span>
  )
}
