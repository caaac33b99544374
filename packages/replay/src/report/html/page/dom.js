// What all plots share. Everything that comes from a transcript is set as text, never as markup.
const SVG = 'http://www.w3.org/2000/svg'
const COLOURS = 8
/** More lines in colour than this are not told apart. */
const LIT_AT_FIRST = 5

export const data = JSON.parse(document.getElementById('data').textContent)

export const state = {
  /** Policies in colour; the others are grey. */
  lit: new Set(chooseLit()),
  conversation: 0,
  policy: data.policies[0]?.name,
  request: null,
}

/** The first, then who keeps most for the least. */
function chooseLit() {
  if (data.policies.length <= LIT_AT_FIRST) return data.policies.map(({ name }) => name)
  const [first, ...others] = data.policies.filter(({ kind }) => kind !== 'recorded')
  const best = others
    .filter(({ overWindow }) => overWindow === 0)
    .toSorted((a, b) => a.beatenBy.length - b.beatenBy.length || b.kept - a.kept)
  return [first, ...best.slice(0, LIT_AT_FIRST - 1)].map(({ name }) => name)
}

/** A colour of the style sheet: it knows light from dark. */
export function colourOf(name) {
  if (!state.lit.has(name)) return 'var(--grey)'
  const place = data.policies.filter((policy) => state.lit.has(policy.name)).findIndex((policy) => policy.name === name)
  return `var(--c${place % COLOURS})`
}

export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value)
    else node.setAttribute(key, value)
  }
  node.append(...children)
  return node
}

export function draw(parent, name, attributes = {}, text = null) {
  const node = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value))
  if (text !== null) node.textContent = text
  parent?.append(node)
  return node
}

export function chooser(label, options, selected, onPick) {
  const select = element('select', { 'aria-label': label, onchange: (event) => onPick(event.target.value) })
  for (const [value, text] of options)
    select.append(element('option', value === selected ? { value, selected: '' } : { value }, text))
  return element('label', {}, `${label} `, select)
}

/** A small square of colour before a name. */
export function swatch(colour) {
  return element('i', { class: 'swatch', style: `background:${colour}` })
}

export const formatTokens = (tokens) => {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toPrecision(3))}M`
  return tokens >= 1_000 ? `${Math.round(tokens / 1_000)}k` : String(Math.round(tokens))
}
export const formatUsd = (usd) => (usd === null ? 'price unknown' : `$${usd.toFixed(usd > 0 && usd < 1 ? 3 : 2)}`)
export const formatShare = (share) => (share === null ? '–' : `${share.toFixed(share > 90 && share < 100 ? 1 : 0)} %`)

export function describeEvent({ action, reason, before, after, isForeground }) {
  const change =
    before !== null && after !== null && before !== after ? `, ${formatTokens(before)} → ${formatTokens(after)}` : ''
  return `${action} (${reason}${change})${isForeground ? ', somebody waits' : ''}`
}
