// Draws the replay page in the browser. Everything that comes from a transcript is set as text, never as markup.
const data = JSON.parse(document.getElementById('data').textContent)
const page = document.getElementById('page')
const SVG = 'http://www.w3.org/2000/svg'
const WIDTH = 1000
const MARGIN = { left: 64, right: 16, top: 14, bottom: 28 }
const COLOURS = [
  '#0b7285',
  '#e8590c',
  '#7048e8',
  '#2b8a3e',
  '#c2255c',
  '#f08c00',
  '#1971c2',
  '#868e96',
  '#5c940d',
  '#9c36b5',
  '#d6336c',
  '#0ca678',
  '#845ef7',
  '#a61e4d',
]
const LAYER_COLOURS = ['#868e96', '#7048e8', '#f08c00', '#adb5bd', '#1971c2', '#2b8a3e', '#e8590c']
const EVENT_SHAPES = { compact: '●', trim: '■', flush: '◆', prepare: '○', failed: '✕', block: '✕' }

const state = {
  hidden: new Set(
    data.policies.length > 8 ? data.policies.filter(({ kind }) => kind === 'recorded').map(({ name }) => name) : [],
  ),
  conversation: 0,
  policy: data.policies[0]?.name,
  request: 0,
}
const colourOf = new Map(data.policies.map(({ name }, place) => [name, COLOURS[place % COLOURS.length]]))
const shown = () => data.policies.filter(({ name }) => !state.hidden.has(name))

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value)
    else node.setAttribute(key, value)
  }
  node.append(...children)
  return node
}

function draw(parent, name, attributes = {}, text = null) {
  const node = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value))
  if (text !== null) node.textContent = text
  parent.append(node)
  return node
}

const formatTokens = (tokens) => (tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(Math.round(tokens)))
const formatUsd = (usd) => (usd === null ? 'price unknown' : `$${usd.toFixed(2)}`)
const formatShare = (share) => (share === null ? '–' : `${share.toFixed(share > 99 && share < 100 ? 1 : 0)} %`)

/** A frame with axes; returns where numbers lie. */
function createFrame(title, { height, maxX, maxY, minX = 0, minY = 0, formatX, formatY }) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${height}`)
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', title)
  const x = (value) => MARGIN.left + ((value - minX) / (maxX - minX || 1)) * (WIDTH - MARGIN.left - MARGIN.right)
  const y = (value) =>
    height - MARGIN.bottom - ((value - minY) / (maxY - minY || 1)) * (height - MARGIN.top - MARGIN.bottom)
  for (let step = 0; step <= 4; step += 1) {
    const [atX, atY] = [minX + ((maxX - minX) * step) / 4, minY + ((maxY - minY) * step) / 4]
    draw(svg, 'line', { class: 'axis', x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y(atY), y2: y(atY) })
    draw(svg, 'text', { x: MARGIN.left - 6, y: y(atY) + 4, 'text-anchor': 'end' }, formatY(atY))
    draw(svg, 'text', { x: x(atX), y: height - 8, 'text-anchor': 'middle' }, formatX(atX))
  }
  return { svg, x, y }
}

function drawSeries(title, { pick, formatY, hasEvents, windowTokens }) {
  const conversation = data.conversations[state.conversation]
  const runs = (conversation?.runs ?? []).filter(({ policy }) => !state.hidden.has(policy))
  const last = Math.max(1, ...runs.map(({ tokens }) => tokens.length - 1))
  const top = Math.max(1, windowTokens ?? 0, ...runs.map((run) => Math.max(0, ...pick(run))))
  const { svg, x, y } = createFrame(title, {
    height: 320,
    maxX: last,
    maxY: top,
    formatX: (value) => `request ${Math.round(value) + 1}`,
    formatY,
  })
  if (windowTokens)
    draw(svg, 'line', {
      class: 'window',
      x1: MARGIN.left,
      x2: WIDTH - MARGIN.right,
      y1: y(windowTokens),
      y2: y(windowTokens),
    })
  for (const run of runs) {
    const points = pick(run).map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`)
    const isOurs = run.policy === data.policies[0]?.name
    draw(svg, 'polyline', {
      points: points.join(' '),
      fill: 'none',
      stroke: colourOf.get(run.policy),
      'stroke-width': isOurs ? 2.5 : 1.3,
      opacity: isOurs ? 1 : 0.75,
    })
    if (!hasEvents) continue
    for (const event of run.events) {
      const [atX, atY] = [x(event.request), y(pick(run)[event.request])]
      const mark = EVENT_SHAPES[event.action]
      const node =
        mark === undefined
          ? draw(svg, 'circle', { cx: atX, cy: atY, r: 1.8, fill: colourOf.get(run.policy) })
          : draw(
              svg,
              'text',
              { x: atX, y: atY + 4, 'text-anchor': 'middle', style: `fill:${colourOf.get(run.policy)};font-size:13px` },
              mark,
            )
      draw(node, 'title', {}, `${run.policy}: ${describeEvent(event)}`)
    }
  }
  const readout = element('output')
  const cursor = draw(svg, 'line', { class: 'axis', y1: MARGIN.top, y2: 320 - MARGIN.bottom, x1: -9, x2: -9 })
  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect()
    const at = ((event.clientX - box.left) / box.width) * WIDTH
    const request = Math.round(((at - MARGIN.left) / (WIDTH - MARGIN.left - MARGIN.right)) * last)
    if (request < 0 || request > last) return
    cursor.setAttribute('x1', x(request))
    cursor.setAttribute('x2', x(request))
    readout.textContent =
      `request ${request + 1} · ` + runs.map((run) => `${run.policy} ${formatY(pick(run)[request] ?? 0)}`).join(' · ')
  })
  return element('section', {}, svg, readout)
}

function describeEvent({ action, reason, before, after, isForeground }) {
  const change =
    before !== null && after !== null && before !== after ? `, ${formatTokens(before)} → ${formatTokens(after)}` : ''
  return `${action} (${reason}${change})${isForeground ? ', somebody waits' : ''}`
}

function drawKinds() {
  const policies = shown()
  const kinds = data.kinds
    .map((kind, place) => ({ kind, place }))
    .filter(({ place }) => data.policies.some(({ keptByKind }) => keptByKind[place] !== null))
  const [rowHeight, nameWidth] = [24, 130]
  const columnWidth = (WIDTH - nameWidth) / Math.max(1, kinds.length)
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${(policies.length + 1) * rowHeight + 6}`)
  kinds.forEach(({ kind }, column) =>
    draw(svg, 'text', { x: nameWidth + column * columnWidth, y: 15, class: 'strong' }, kind),
  )
  policies.forEach((policy, row) => {
    const top = (row + 1) * rowHeight
    draw(svg, 'text', { x: 4, y: top + 14, class: row === 0 ? 'strong' : '' }, policy.name)
    kinds.forEach(({ place }, column) => {
      const [kept, recalled] = [policy.keptByKind[place], policy.recalledByKind[place]]
      const [left, full] = [nameWidth + column * columnWidth, columnWidth - 48]
      draw(svg, 'rect', { x: left, y: top + 4, width: full, height: 12, fill: 'none', class: 'axis' })
      const width = (full * (kept ?? 0)) / 100
      draw(svg, 'rect', { x: left, y: top + 4, width, height: 12, fill: colourOf.get(policy.name) })
      if (recalled !== null) {
        const more = ((full - width) * recalled) / 100
        const node = draw(svg, 'rect', {
          x: left + width,
          y: top + 4,
          width: more,
          height: 12,
          fill: colourOf.get(policy.name),
          opacity: 0.3,
        })
        draw(node, 'title', {}, `recall@${data.recallHits}: ${formatShare(recalled)} of what is not in context`)
      }
      draw(svg, 'text', { x: left + full + 4, y: top + 14 }, formatShare(kept))
    })
  })
  return element('section', {}, svg)
}

function drawFrontier() {
  const points = shown().filter(({ costUsd, kept }) => costUsd !== null && kept !== null)
  if (points.length === 0) return element('section', {}, 'The price is unknown, so there is no frontier to draw.')
  const costs = points.map(({ costUsd }) => costUsd)
  const shares = points.map(({ kept }) => kept)
  const [minX, maxX] = [Math.min(...costs) * 0.9, Math.max(...costs) * 1.1]
  const minY = Math.max(0, Math.min(...shares) - 5)
  const { svg, x, y } = createFrame('cost against retention', {
    height: 340,
    minX,
    maxX,
    minY,
    maxY: 100,
    formatX: formatUsd,
    formatY: (value) => `${value.toFixed(0)} %`,
  })
  const frontier = points
    .filter((point) => point.overWindow === 0 && point.beatenBy.length === 0)
    .toSorted((a, b) => a.costUsd - b.costUsd)
  draw(svg, 'polyline', {
    points: frontier.map(({ costUsd, kept }) => `${x(costUsd)},${y(kept)}`).join(' '),
    fill: 'none',
    class: 'window',
  })
  for (const { name, costUsd, kept, overWindow, beatenBy } of points) {
    const colour = colourOf.get(name)
    const node = draw(svg, 'circle', {
      cx: x(costUsd),
      cy: y(kept),
      r: name === data.policies[0]?.name ? 7 : 5,
      fill: overWindow > 0 ? 'none' : colour,
      stroke: colour,
      'stroke-width': 2,
    })
    const told = beatenBy.length === 0 ? '' : `; cheaper and keeps more: ${beatenBy.join(', ')}`
    draw(
      node,
      'title',
      {},
      `${name}: ${formatUsd(costUsd)}, ${formatShare(kept)}${overWindow > 0 ? `; ${overWindow} requests over the window` : ''}${told}`,
    )
    draw(svg, 'text', { x: x(costUsd) + 9, y: y(kept) - 6 }, name)
  }
  return element('section', {}, svg)
}

function drawLayers() {
  const conversation = data.conversations[state.conversation]
  const run = conversation?.runs.find(({ policy }) => policy === state.policy)
  if (run === undefined || run.tokens.length === 0) return element('section', {}, 'Nothing was sent.')
  const last = run.tokens.length - 1
  state.request = Math.min(state.request, last)
  const top = Math.max(conversation.windowTokens, ...run.tokens)
  const { svg, x, y } = createFrame('the window as layers', {
    height: 280,
    maxX: Math.max(1, last),
    maxY: top,
    formatX: (value) => `request ${Math.round(value) + 1}`,
    formatY: formatTokens,
  })
  let below = run.tokens.map(() => 0)
  run.layers.forEach((layer, place) => {
    const above = layer.map((tokens, request) => (below[request] ?? 0) + tokens)
    const points = [
      ...above.map((value, request) => `${x(request)},${y(value)}`),
      ...below.map((value, request) => `${x(request)},${y(value)}`).toReversed(),
    ]
    const node = draw(svg, 'polygon', { points: points.join(' '), fill: LAYER_COLOURS[place], opacity: 0.85 })
    draw(node, 'title', {}, data.layers[place])
    below = above
  })
  draw(svg, 'line', {
    class: 'window',
    x1: MARGIN.left,
    x2: WIDTH - MARGIN.right,
    y1: y(conversation.windowTokens),
    y2: y(conversation.windowTokens),
  })
  const cursor = draw(svg, 'line', { stroke: 'currentColor', y1: MARGIN.top, y2: 280 - MARGIN.bottom })
  const readout = element('output')
  const slider = element('input', {
    type: 'range',
    min: 0,
    max: last,
    value: state.request,
    'aria-label': 'request',
    oninput: (event) => tell(Number(event.target.value)),
  })
  function tell(request) {
    state.request = request
    cursor.setAttribute('x1', x(request))
    cursor.setAttribute('x2', x(request))
    const parts = data.layers.map((layer, place) => `${layer} ${formatTokens(run.layers[place][request])}`)
    const events = run.events.filter((event) => event.request === request).map(describeEvent)
    readout.textContent = [
      `request ${request + 1} (message ${run.message[request] + 1}): ${formatTokens(run.tokens[request])} tokens, ${formatTokens(run.cacheRead[request])} from the cache, ${formatUsd(run.costUsd[request])} so far`,
      parts.join(' · '),
      ...events,
    ].join('\n')
  }
  tell(state.request)
  const chooser = element('select', {
    'aria-label': 'policy',
    onchange: (event) => {
      state.policy = event.target.value
      render()
    },
  })
  for (const { name } of data.policies)
    chooser.append(element('option', name === state.policy ? { value: name, selected: '' } : { value: name }, name))
  return element('section', {}, element('label', {}, 'policy ', chooser), svg, slider, readout)
}

function drawLegend() {
  const legend = element('div', { class: 'legend' })
  for (const { name, about } of data.policies) {
    const toggle = () => {
      if (!state.hidden.delete(name)) state.hidden.add(name)
      render()
    }
    legend.append(
      element(
        'button',
        { type: 'button', 'aria-pressed': String(!state.hidden.has(name)), title: about, onclick: toggle },
        element('span', { class: 'swatch', style: `background:${colourOf.get(name)}` }),
        name,
      ),
    )
  }
  return legend
}

function drawSources() {
  const table = element('table')
  table.append(
    element(
      'tr',
      {},
      ...['policy', 'cost', 'in context', 'cached', 'compactions', 'waits', 'what it does', 'source'].map((text) =>
        element('th', {}, text),
      ),
    ),
  )
  for (const policy of data.policies) {
    const cells = [
      policy.name,
      formatUsd(policy.costUsd),
      formatShare(policy.kept),
      formatShare(policy.hitRate * 100),
      String(policy.compactions),
      String(policy.waits),
      policy.about,
      policy.source,
    ]
    table.append(element('tr', {}, ...cells.map((text) => element('td', {}, text))))
  }
  return element('section', {}, table)
}

function render() {
  const conversation = data.conversations[state.conversation]
  const chooser = element('select', {
    'aria-label': 'conversation',
    onchange: (event) => {
      state.conversation = Number(event.target.value)
      render()
    },
  })
  data.conversations.forEach(({ name }, place) =>
    chooser.append(
      element('option', place === state.conversation ? { value: place, selected: '' } : { value: place }, name),
    ),
  )
  const heading = (title, about) => [element('h2', {}, title), element('p', {}, about)]
  const more = data.notDrawn > 0 ? ` ${data.notDrawn} more are in the sums.` : ''
  page.replaceChildren(
    element('h1', {}, 'Longhaul replay'),
    element('p', {}, `Summaries: ${data.summaries}. No model was called.`),
    drawLegend(),
    element('label', {}, 'conversation ', chooser, more),
    ...heading(
      'Tokens of each request',
      '● compaction  ■ messages left out  ◆ memory saved  ○ summary prepared  · tool results cleared. Dashed: the window.',
    ),
    drawSeries('tokens of each request', {
      pick: (run) => run.tokens,
      formatY: formatTokens,
      hasEvents: true,
      windowTokens: conversation?.windowTokens,
    }),
    ...heading('Cost so far', 'Requests and maintenance, with the provider’s prompt cache.'),
    drawSeries('cost so far', { pick: (run) => run.costUsd, formatY: formatUsd, hasEvents: false }),
    ...heading(
      'Cost against retention',
      'Of all conversations: what was still in context when user or model referred back to it. Dashed: the frontier. Hollow: some requests were over the window.',
    ),
    drawFrontier(),
    ...heading(
      'Retention by kind',
      `Full: in context where it is referred back to (instructions, decisions and asks: at the end). Pale: of the rest, found by a blind search (recall@${data.recallHits}).`,
    ),
    drawKinds(),
    ...heading('The window as layers', data.layers.join(', ') + ', from below.'),
    drawLayers(),
    ...heading('Policies', 'All with the same summariser.'),
    drawSources(),
  )
}

render()
