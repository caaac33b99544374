import { chooser, data, describeEvent, draw, element, formatTokens, formatUsd, state, swatch } from './dom.js'
import { createFrame, formatRequest } from './frame.js'

const LAYERS_HEIGHT = 280
const colourOfLayer = (layer) => `var(--layer-${layer})`

/** What the window holds, request by request, and at one moment. */
export function drawLayers(render) {
  const conversation = data.conversations[state.conversation]
  const run = conversation?.runs.find(({ policy }) => policy === state.policy)
  const choose = chooser(
    'policy',
    data.policies.map(({ name }) => [name, name]),
    state.policy,
    (name) => {
      state.policy = name
      render()
    },
  )
  if (run === undefined || run.tokens.length === 0)
    return element('section', {}, choose, element('p', {}, 'Nothing was sent.'))
  const last = run.tokens.length - 1
  const { svg, tellCursor } = drawArea(conversation, run)
  const readout = element('output', { class: 'moment' })
  const tell = (request) => {
    state.request = request
    tellCursor(request)
    readout.replaceChildren(...describeMoment(conversation, run, request))
  }
  const start = Math.min(state.request ?? Math.round(last * 0.75), last)
  const slider = element('input', {
    type: 'range',
    min: 0,
    max: last,
    value: start,
    'aria-label': 'request',
    oninput: (event) => tell(Number(event.target.value)),
  })
  tell(start)
  return element('section', {}, choose, svg, slider, readout)
}

function drawArea({ windowTokens, ofRequests }, run) {
  const last = run.tokens.length - 1
  const step = ofRequests / (last + 1)
  const frame = createFrame('the window as layers', {
    height: LAYERS_HEIGHT,
    maxX: Math.max(1, last),
    maxY: Math.max(windowTokens, ...run.tokens) * 1.04,
    formatX: (place) => formatRequest(place, step),
    formatY: formatTokens,
  })
  const { svg, x, y } = frame
  let below = run.tokens.map(() => 0)
  run.layers.forEach((layer, place) => {
    const above = layer.map((tokens, request) => (below[request] ?? 0) + tokens)
    const toPoint = (value, request) => `${x(request).toFixed(1)},${y(value).toFixed(1)}`
    const points = [...above.map(toPoint), ...below.map(toPoint).toReversed()].join(' ')
    const area = draw(svg, 'polygon', { points, style: `fill:${colourOfLayer(data.layers[place])}` })
    draw(area, 'title', {}, data.layers[place])
    below = above
  })
  draw(svg, 'line', { class: 'window', x1: frame.left, x2: frame.right, y1: y(windowTokens), y2: y(windowTokens) })
  draw(svg, 'text', { x: frame.right, y: y(windowTokens) + 13, 'text-anchor': 'end' }, 'window')
  const cursor = draw(svg, 'line', { class: 'cursor', y1: frame.top, y2: frame.bottom })
  return {
    svg,
    tellCursor: (request) => {
      cursor.setAttribute('x1', x(request))
      cursor.setAttribute('x2', x(request))
    },
  }
}

/** The window at one moment as a bar, with what it is made of and what was done just before. */
function describeMoment({ windowTokens, ofRequests }, run, request) {
  const parts = data.layers
    .map((layer, place) => ({ layer, tokens: run.layers[place][request] }))
    .filter(({ tokens }) => tokens > 0)
  const whole = Math.max(windowTokens, run.tokens[request])
  const bar = element(
    'div',
    { class: 'window-bar' },
    ...parts.map(({ layer, tokens }) =>
      element('i', { style: `width:${(tokens / whole) * 100}%;background:${colourOfLayer(layer)}`, title: layer }),
    ),
  )
  const shown = Math.round(((request + 1) * ofRequests) / run.tokens.length)
  return [
    element('b', {}, `request ${shown} (message ${run.message[request] + 1})`),
    element(
      'span',
      {},
      `${formatTokens(run.tokens[request])} tokens, ${formatTokens(run.cacheRead[request])} from the cache, ${formatUsd(run.costUsd[request])} so far`,
    ),
    bar,
    ...parts.map(({ layer, tokens }) =>
      element('span', {}, swatch(colourOfLayer(layer)), `${layer} ${formatTokens(tokens)}`),
    ),
    ...run.events
      .filter((event) => event.request === request)
      .map((event) => element('span', { class: 'event' }, describeEvent(event))),
  ]
}
