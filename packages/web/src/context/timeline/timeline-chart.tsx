import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../ui/text/format.ts'
import { createTimelinePlot } from './create-timeline-plot.ts'
import { describePoint } from './describe-point.ts'
import type { Timeline } from './plan-timeline.ts'

export interface TimelineChartProps {
  readonly timeline: Timeline
  readonly threshold: number | null
  readonly onOpen: (number: number) => void
}

/** For the eye and the pointer; the table below it says the same to everybody else. */
export function TimelineChart({ timeline, threshold, onOpen }: TimelineChartProps) {
  const holder = useRef<HTMLDivElement>(null)
  const [point, setPoint] = useState<number | null>(null)
  const open = useRef(onOpen)
  useEffect(() => {
    open.current = onOpen
  }, [onOpen])
  useEffect(() => {
    if (holder.current === null) return undefined
    const plot = createTimelinePlot(holder.current, {
      timeline,
      threshold,
      onOpen: (number) => open.current(number),
      onPoint: setPoint,
    })
    return plot.destroy
  }, [timeline, threshold])
  return (
    <div className="flex h-full flex-col">
      <p aria-hidden="true" className="line-clamp-2 h-8 text-xs text-muted tabular-nums">
        {point === null ? 'Point at a request to read it, click to open it.' : describePoint(timeline, point)}
      </p>
      <div
        ref={holder}
        role="img"
        aria-label={describeChart(timeline)}
        className="min-h-0 w-full flex-1 cursor-pointer"
      />
    </div>
  )
}

function describeChart({ numbers, tokens, marks }: Timeline): string {
  const counted = tokens.filter((each) => each !== null)
  const range =
    counted.length === 0 ? '' : `, from ${formatNumber(Math.min(...counted))} to ${formatNumber(Math.max(...counted))}`
  const compactions = marks.filter(({ kind }) => kind === 'compaction').length
  return `Tokens of ${formatNumber(numbers.length)} requests${range}; compactions: ${compactions}. The table below lists them.`
}
