import { colourOf, data, draw, element, formatShare, formatUsd, state } from './dom.js'
import { createFrame } from './frame.js'

const FRONTIER_HEIGHT = 360
const LETTER_PIXELS = 7.2
const STRONG_LETTER_PIXELS = 8.2
/** Who keeps far less or costs far more stands at the edge: the others would be one heap. */
const SHOWN_POINTS = 15
const SHOWN_COST = 1.7

/** Cost to the right, what was kept upwards: good is up and left. */
export function drawFrontier() {
  const points = data.policies.filter(({ costUsd, kept }) => costUsd !== null && kept !== null)
  if (points.length === 0)
    return element(
      'section',
      {},
      'There is nothing to compare: a price is unknown (--model names a model to reckon with), or nobody referred back to anything.',
    )
  const costs = points.map(({ costUsd }) => costUsd)
  const shares = points.map(({ kept }) => kept)
  const low = Math.max(Math.min(...shares), Math.max(...shares) - SHOWN_POINTS)
  const high = Math.min(Math.max(...costs), Math.min(...costs) * SHOWN_COST)
  const spread = high - Math.min(...costs) || high || 1
  const frame = createFrame('cost against retention', {
    height: FRONTIER_HEIGHT,
    minX: Math.max(0, Math.min(...costs) - spread * 0.08),
    maxX: high + spread * 0.12,
    minY: Math.max(0, low - (100 - low) * 0.12 - 0.5),
    maxY: 100 + (100 - low) * 0.06,
    formatX: (usd) => `$${Number(usd.toPrecision(3))}`,
    formatY: (share) => `${Number(share.toPrecision(3))} %`,
  })
  const { svg, x, y } = frame
  const best = points
    .filter(({ overWindow, beatenBy }) => overWindow === 0 && beatenBy.length === 0)
    .toSorted((one, other) => one.costUsd - other.costUsd)
  draw(svg, 'polyline', {
    points: best.map((point) => `${x(point.costUsd)},${y(point.kept)}`).join(' '),
    class: 'window line',
  })
  const placed = points.map((point) => {
    const [costUsd, kept] = [Math.min(point.costUsd, high), Math.max(point.kept, low)]
    const isOut = costUsd !== point.costUsd || kept !== point.kept
    const label = isOut ? `${point.name} (${formatUsd(point.costUsd)}, ${formatShare(point.kept)})` : point.name
    return { ...point, atX: x(costUsd), atY: y(kept), label }
  })
  const taken = placed.map(({ atX, atY }) => ({ x: atX, y: atY, width: 14, height: 14 }))
  // Those in colour choose their place first.
  for (const point of placed.toSorted(
    (one, other) => Number(state.lit.has(other.name)) - Number(state.lit.has(one.name)),
  )) {
    drawPoint(frame, point, taken)
  }
  return element('section', {}, svg)
}

function drawPoint({ svg, left, right }, { name, label, atX, atY, costUsd, kept, overWindow, beatenBy }, taken) {
  const colour = colourOf(name)
  const isFirst = name === data.policies[0]?.name
  const style = `fill:${overWindow > 0 ? 'var(--card)' : colour};stroke:${colour}`
  const node = draw(svg, 'circle', { cx: atX, cy: atY, r: isFirst ? 7 : 5, style, 'stroke-width': 2 })
  const refused = overWindow > 0 ? `; ${overWindow} requests over the window` : ''
  const told = beatenBy.length === 0 ? '' : `; cheaper and keeps more: ${beatenBy.join(', ')}`
  draw(node, 'title', {}, `${name}: ${formatUsd(costUsd)}, ${formatShare(kept)}${refused}${told}`)
  const isLit = state.lit.has(name)
  const place = findPlace(
    { atX, atY, width: label.length * (isLit ? STRONG_LETTER_PIXELS : LETTER_PIXELS), reach: isLit ? 100 : 20 },
    { taken, left, right },
  )
  if (place === null) return
  taken.push(place.box)
  if (Math.abs(place.y - atY) > 24) draw(svg, 'line', { class: 'axis', x1: atX, y1: atY, x2: place.box.x, y2: place.y })
  draw(
    svg,
    'text',
    { x: place.box.x, y: place.y + 4, 'text-anchor': 'middle', class: isLit ? 'name strong' : 'name' },
    label,
  )
}

/** Beside the point, else above or below it, further and further away; null: there is no room within reach. */
function findPlace({ atX, atY, width, reach }, { taken, left, right }) {
  for (const distance of [0, 16, -16, 32, -32, 48, 64, 80, 96].filter((each) => Math.abs(each) <= reach)) {
    // Right above or below a point is nearer to it than beside that.
    for (const side of distance === 0 ? [1, -1] : [0, 1, -1]) {
      const middle = atX + side * (width / 2 + 11)
      const box = { x: middle, y: atY + distance, width, height: 13 }
      const fits =
        middle - width / 2 >= left && middle + width / 2 <= right && box.y > 8 && box.y < FRONTIER_HEIGHT - 32
      if (fits && !taken.some((other) => overlaps(box, other))) return { box, y: atY + distance }
    }
  }
  return null
}

/** Boxes are told by their middle. */
function overlaps(a, b) {
  return Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height
}
