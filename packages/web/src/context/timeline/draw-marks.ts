import type UPlot from 'uplot'
import { MARKS } from './marks.ts'
import type { Drop, PlacedMark } from './plan-timeline.ts'
import type { ReadColour } from './watch-colours.ts'

const INFO = new Map(MARKS.map((info) => [info.kind, info]))

const SIGN_SIZE = 12
const ARROW_SIZE = 5

/** A thin line where something was done, its sign on top. */
export function drawMarks(plot: UPlot, marks: readonly PlacedMark[], colour: ReadColour): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio
  ctx.save()
  ctx.textAlign = 'center'
  ctx.textBaseline = 'bottom'
  ctx.font = `${SIGN_SIZE * scale}px ui-sans-serif, system-ui, sans-serif`
  ctx.lineWidth = scale
  // Where the next sign fits, by row: those of the same moment stand above each other.
  const free = [-Infinity, -Infinity, -Infinity]
  for (const { kind, x, drop } of marks) {
    const info = INFO.get(kind)
    if (info === undefined) continue
    const left = Math.round(plot.valToPos(x, 'x', true))
    ctx.strokeStyle = colour(info.colour)
    ctx.fillStyle = colour(info.colour)
    ctx.globalAlpha = 0.45
    drawLine(ctx, [left, bbox.top], [left, bbox.top + bbox.height])
    ctx.globalAlpha = 1
    if (drop !== undefined) drawDrop(plot, left, drop)
    const row = Math.max(
      0,
      free.findIndex((from) => from <= left),
    )
    free[row] = left + SIGN_SIZE * scale
    ctx.fillText(info.symbol, left, bbox.top - (2 + row * SIGN_SIZE) * scale)
  }
  ctx.restore()
}

/** An arrow from how large the context was to how large it is. */
function drawDrop(plot: UPlot, left: number, { from, to }: Drop): void {
  const { ctx } = plot
  const size = ARROW_SIZE * devicePixelRatio
  const bottom = plot.valToPos(to, 'y', true)
  ctx.save()
  ctx.lineWidth = 2.5 * devicePixelRatio
  drawLine(ctx, [left, plot.valToPos(from, 'y', true)], [left, bottom - size])
  ctx.beginPath()
  ctx.moveTo(left - size, bottom - size * 1.6)
  ctx.lineTo(left + size, bottom - size * 1.6)
  ctx.lineTo(left, bottom)
  ctx.fill()
  ctx.restore()
}

export function drawThreshold(plot: UPlot, threshold: number | null, colour: ReadColour): void {
  if (threshold === null) return
  const { ctx, bbox } = plot
  const top = Math.round(plot.valToPos(threshold, 'y', true))
  ctx.save()
  ctx.strokeStyle = colour('--ink')
  ctx.lineWidth = 1.5 * devicePixelRatio
  ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio])
  drawLine(ctx, [bbox.left, top], [bbox.left + bbox.width, top])
  ctx.restore()
}

type Point = readonly [number, number]

function drawLine(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.beginPath()
  context.moveTo(...from)
  context.lineTo(...to)
  context.stroke()
}
