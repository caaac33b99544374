import { colourOf, data, describeEvent, draw, element, state, swatch } from './dom.js'
import { createFrame, formatRequest } from './frame.js'

const MARKS = { compact: '●', trim: '■', flush: '◆', prepare: '○', failed: '✕', block: '✕' }
const SERIES_HEIGHT = 320

/** A line for each policy over the requests of the conversation. */
export function drawSeries(title, { pick, formatY, hasEvents, windowTokens }) {
  const { runs, ofRequests } = data.conversations[state.conversation] ?? { runs: [], ofRequests: 0 }
  const longest = Math.max(1, ...runs.map(({ tokens }) => tokens.length - 1))
  const step = ofRequests / (longest + 1)
  const top = Math.max(1e-6, windowTokens ?? 0, ...runs.map((run) => Math.max(0, ...pick(run))))
  const formatX = (place) => formatRequest(place, step)
  const frame = createFrame(title, { height: SERIES_HEIGHT, maxX: longest, maxY: top * 1.04, formatX, formatY })
  const { svg, x, y } = frame
  if (windowTokens) {
    draw(svg, 'line', { class: 'window', x1: frame.left, x2: frame.right, y1: y(windowTokens), y2: y(windowTokens) })
    draw(svg, 'text', { x: frame.right, y: y(windowTokens) - 4, 'text-anchor': 'end' }, 'window')
  }
  const inOrder = runs.toSorted((a, b) => rank(a) - rank(b))
  for (const run of inOrder) drawLine(frame, run, pick)
  if (hasEvents) for (const run of inOrder) if (state.lit.has(run.policy)) drawEvents(frame, run, pick)
  const readout = element('output', {}, 'Point at the plot to read it.')
  const cursor = draw(svg, 'line', { class: 'cursor', y1: frame.top, y2: frame.bottom, x1: -9, x2: -9 })
  svg.addEventListener('pointermove', (event) => {
    const place = Math.round(frame.valueAt(event))
    if (place < 0 || place > longest) return
    cursor.setAttribute('x1', x(place))
    cursor.setAttribute('x2', x(place))
    const told = runs.filter(({ policy, tokens }) => state.lit.has(policy) && place < tokens.length)
    readout.replaceChildren(
      element('b', {}, `request ${Math.round((place + 1) * step)}`),
      ...told
        .toSorted((a, b) => pick(b)[place] - pick(a)[place])
        .map((run) => element('span', {}, swatch(colourOf(run.policy)), `${run.policy} ${formatY(pick(run)[place])}`)),
    )
  })
  return element('section', {}, svg, readout)
}

/** Grey lines lie below, the first policy on top. */
function rank({ policy }) {
  if (policy === data.policies[0]?.name) return 2
  return state.lit.has(policy) ? 1 : 0
}

function drawLine({ svg, x, y }, run, pick) {
  const points = pick(run).map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`)
  const width = [1, 1.6, 2.6][rank(run)]
  const line = draw(svg, 'polyline', {
    points: points.join(' '),
    class: 'line',
    style: `stroke:${colourOf(run.policy)};stroke-width:${width}`,
  })
  draw(line, 'title', {}, run.policy)
}

function drawEvents({ svg, x, y }, run, pick) {
  const values = pick(run)
  for (const event of run.events) {
    const [atX, atY] = [x(event.request), y(values[event.request] ?? 0)]
    const mark = MARKS[event.action]
    const style = `fill:${colourOf(run.policy)}`
    const node =
      mark === undefined
        ? draw(svg, 'circle', { cx: atX, cy: atY, r: 2, style, opacity: 0.6 })
        : draw(svg, 'text', { x: atX, y: atY + 5, 'text-anchor': 'middle', class: 'mark', style }, mark)
    draw(node, 'title', {}, `${run.policy}: ${describeEvent(event)}`)
  }
}
