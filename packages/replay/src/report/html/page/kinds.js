import { colourOf, data, element, formatShare } from './dom.js'

/** A bar for each kind of fact and policy: full what is in context, pale what a search finds of the rest. */
export function drawKinds() {
  const kinds = data.kinds
    .map((kind, place) => ({ kind, place }))
    .filter(({ place }) => data.policies.some(({ keptByKind }) => keptByKind[place] !== null))
  const table = element('table', { class: 'kinds' })
  table.append(
    element(
      'tr',
      {},
      element('th', { scope: 'col' }, 'policy'),
      ...kinds.map(({ kind }) => element('th', { scope: 'col' }, kind)),
    ),
  )
  for (const policy of data.policies) {
    const cells = kinds.map(({ place }) => drawCell(policy, policy.keptByKind[place], policy.recalledByKind[place]))
    table.append(element('tr', {}, element('th', { scope: 'row' }, policy.name), ...cells))
  }
  return element('section', { class: 'wide', role: 'region', 'aria-label': 'retention by kind', tabindex: 0 }, table)
}

function drawCell({ name }, kept, recalled) {
  const found = recalled === null ? 0 : ((100 - (kept ?? 0)) * recalled) / 100
  const about = recalled === null ? '' : `recall@${data.recallHits}: ${formatShare(recalled)} of what is not in context`
  const colour = colourOf(name)
  return element(
    'td',
    { title: about },
    element(
      'span',
      { class: 'bar' },
      element('i', { style: `width:${kept ?? 0}%;background:${colour}` }),
      element('i', { style: `width:${found}%;background:${colour};opacity:0.35` }),
    ),
    formatShare(kept),
  )
}
