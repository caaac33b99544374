import UPlot from 'uplot'
// oxlint-disable-next-line import/no-unassigned-import
import 'uplot/dist/uPlot.min.css'
import { formatShort } from '../../ui/text/format.ts'
import { drawMarks, drawThreshold } from './draw-marks.ts'
import { watchColours } from './watch-colours.ts'
import type { Timeline } from './plan-timeline.ts'

export interface TimelinePlotOptions {
  readonly timeline: Timeline
  readonly threshold: number | null
  readonly onOpen: (number: number) => void
  /** The place in the timeline below the pointer; null: none. */
  readonly onPoint: (index: number | null) => void
}

export interface TimelinePlot {
  readonly destroy: () => void
}

const FONT = '11px ui-sans-serif, system-ui, sans-serif'
/** Room above the line for the signs. */
const TOP_PADDING = 40

/** Fills its holder, follows its size and the theme, and opens the request that is clicked. */
export function createTimelinePlot(
  holder: HTMLElement,
  { timeline, threshold, onOpen, onPoint }: TimelinePlotOptions,
): TimelinePlot {
  const { colour, onChange, stop } = watchColours(holder)
  const { numbers, tokens, topTokens } = timeline
  const last = numbers.length - 1
  const options: UPlot.Options = {
    ...sizeOf(holder),
    padding: [TOP_PADDING, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 9 } },
    scales: {
      x: { time: false, range: () => [(numbers[0] ?? 0) - 1, (numbers[last] ?? 0) + 1] },
      y: { range: () => [0, topTokens] },
    },
    axes: [
      {
        stroke: () => colour('--muted'),
        grid: { show: false },
        ticks: { show: false },
        font: FONT,
        size: 24,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
        space: 60,
        values: (_plot, values) => values.map((value) => (numbers.includes(value) ? `#${value}` : '')),
      },
      {
        stroke: () => colour('--muted'),
        grid: { stroke: () => colour('--line'), width: 1 },
        ticks: { show: false },
        font: FONT,
        size: 44,
        space: 40,
        values: (_plot, values) => values.map(formatShort),
      },
    ],
    series: [
      { label: 'Request' },
      {
        label: 'Tokens',
        stroke: () => colour('--accent'),
        fill: () => colour('--accent-soft'),
        width: 2,
        points: { show: numbers.length <= 120, size: 7, fill: () => colour('--accent') },
      },
    ],
    hooks: {
      draw: [(plot) => drawThreshold(plot, threshold, colour), (plot) => drawMarks(plot, timeline.marks, colour)],
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)],
    },
  }
  const plot = new UPlot(options, [[...numbers], [...tokens]], holder)
  const openNearest = (): void => {
    const number = numbers[plot.cursor.idx ?? -1]
    if (number !== undefined) onOpen(number)
  }
  plot.over.addEventListener('click', openNearest)
  onChange(() => plot.redraw(false, true))
  const observer = new ResizeObserver(() => plot.setSize(sizeOf(holder)))
  observer.observe(holder)
  return {
    destroy: () => {
      stop()
      observer.disconnect()
      plot.destroy()
    },
  }
}

function sizeOf(holder: HTMLElement): { readonly width: number; readonly height: number } {
  return { width: Math.max(holder.clientWidth, 100), height: Math.max(holder.clientHeight, 100) }
}
