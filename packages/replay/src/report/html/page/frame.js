import { draw } from './dom.js'

const MARGIN = { left: 48, right: 14, top: 12, bottom: 26 }
const WIDEST = 1_080
const TICK_PIXELS = { x: 110, y: 60 }

/** As wide as the page: letters stay readable on a phone. */
function plotWidth() {
  const room = document.documentElement.clientWidth
  return Math.min(WIDEST, room) - (room < 600 ? 34 : 58)
}

/** A plot with axes at round numbers; `x` and `y` say where values lie, `valueAt` what lies under a pointer. */
export function createFrame(title, { height, minX = 0, maxX, minY = 0, maxY, formatX, formatY }) {
  const width = plotWidth()
  const svg = draw(null, 'svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': title })
  const [right, bottom] = [width - MARGIN.right, height - MARGIN.bottom]
  const x = (value) => MARGIN.left + ((value - minX) / (maxX - minX || 1)) * (right - MARGIN.left)
  const y = (value) => bottom - ((value - minY) / (maxY - minY || 1)) * (bottom - MARGIN.top)
  for (const value of roundSteps(minY, maxY, (bottom - MARGIN.top) / TICK_PIXELS.y)) {
    draw(svg, 'line', { class: 'axis', x1: MARGIN.left, x2: right, y1: y(value), y2: y(value) })
    draw(svg, 'text', { x: MARGIN.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, formatY(value))
  }
  for (const value of roundSteps(minX, maxX, (right - MARGIN.left) / TICK_PIXELS.x)) {
    draw(svg, 'line', { class: 'axis', x1: x(value), x2: x(value), y1: bottom, y2: bottom + 4 })
    draw(svg, 'text', { x: x(value), y: height - 6, 'text-anchor': 'middle' }, formatX(value))
  }
  const valueAt = (event) => {
    const box = svg.getBoundingClientRect()
    const at = ((event.clientX - box.left) / box.width) * width
    return minX + ((at - MARGIN.left) / (right - MARGIN.left)) * (maxX - minX)
  }
  return { svg, x, y, valueAt, left: MARGIN.left, right, top: MARGIN.top, bottom }
}

/** Names a place on the axis of requests, of which every so many are drawn. */
export function formatRequest(place, step) {
  return `${place === 0 ? 'request ' : ''}${Math.round(place * step) + (place === 0 ? 1 : 0)}`
}

/** 1, 2 or 5 times a power of ten apart, about so many. */
function roundSteps(min, max, wanted) {
  const rough = (max - min || 1) / Math.max(1, wanted)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10)
  const steps = []
  for (let value = Math.ceil(min / step) * step; value <= max + step * 1e-6; value += step) steps.push(value)
  return steps
}
