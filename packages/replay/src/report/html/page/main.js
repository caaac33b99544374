import { chooser, colourOf, data, element, formatShare, formatTokens, formatUsd, state, swatch } from './dom.js'
import { drawFrontier } from './frontier.js'
import { drawKinds } from './kinds.js'
import { drawLayers } from './layers.js'
import { drawSeries } from './series.js'

const page = document.getElementById('page')

function render() {
  const conversation = data.conversations[state.conversation]
  const heading = (title, about) => [element('h2', {}, title), element('p', {}, about)]
  page.replaceChildren(
    element('h1', {}, 'Longhaul replay'),
    element('p', {}, describeReplay()),
    ...describeFirst(),
    drawLegend(),
    ...heading(
      'Cost against retention',
      'All conversations together. Up: of what user or model referred back to, what was still in context. Dashed: the frontier – nobody is both cheaper and keeps more. Hollow: some requests were over the window.',
    ),
    drawFrontier(),
    ...heading(
      'Retention by kind',
      `In context where it is referred back to (instructions, decisions and asks: at the end). Pale: of the rest, what a blind search finds (recall@${data.recallHits}).`,
    ),
    drawKinds(),
    element('h2', {}, 'One conversation'),
    chooseConversation(),
    ...heading(
      'Tokens of each request',
      '● compaction  ■ messages left out  ◆ memory saved  ○ summary prepared  · tool results cleared',
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
      'The window as layers',
      'What each request held, from below: system prompt and tools (head), summary, pins, shortened messages, then what was said. Move the slider to any moment.',
    ),
    drawLayers(render),
    ...heading('Policies', 'All with the same summariser, on the same transcripts, in the same run.'),
    drawPolicies(),
  )
}

function describeReplay() {
  const { count, messages } = data.total
  const model = data.isLive ? '' : ' No model was called.'
  return `${count} ${count === 1 ? 'conversation' : 'conversations'}, ${messages.toLocaleString('en')} messages. Summaries: ${data.summaries}.${model}`
}

/** Where the first policy stands, in words. */
function describeFirst() {
  const [first] = data.policies
  if (first === undefined || first.kept === null || data.policies.length < 2) return []
  const had = `had ${formatShare(first.kept)} of what was referred back to in context`
  const better =
    first.beatenBy.length === 0
      ? 'Nobody here is both cheaper and keeps more.'
      : `Cheaper and keeps more: ${first.beatenBy.join(', ')}.`
  const verdict =
    first.costUsd === null
      ? ` ${had}. Some of the models are in no price list, so there is no sum of the costs; --model names one to reckon with.`
      : ` would have cost ${formatUsd(first.costUsd)} and ${had}. ${better}`
  return [element('p', { class: 'verdict' }, element('b', {}, first.name), verdict)]
}

/** A chip for each policy: in colour, or one of the grey ones. */
function drawLegend() {
  const legend = element('div', { class: 'legend', role: 'group', 'aria-label': 'policies in colour' })
  for (const { name, about } of data.policies) {
    const toggle = () => {
      if (!state.lit.delete(name)) state.lit.add(name)
      render()
    }
    legend.append(
      element(
        'button',
        { type: 'button', 'aria-pressed': String(state.lit.has(name)), title: about, onclick: toggle },
        swatch(colourOf(name)),
        name,
      ),
    )
  }
  return legend
}

function chooseConversation() {
  const options = data.conversations.map(({ name }, place) => [String(place), name])
  const choose = chooser('conversation', options, String(state.conversation), (place) => {
    state.conversation = Number(place)
    state.request = null
    render()
  })
  const more = data.total.count - data.conversations.length
  return element('p', {}, choose, more > 0 ? ` ${more} shorter ones are in the sums above only.` : '')
}

function drawPolicies() {
  const titles = ['policy', 'cost', 'in context', 'cached', 'compactions', 'waits', 'over', 'what it does', 'source']
  const table = element('table', { class: 'policies' })
  table.append(element('tr', {}, ...titles.map((text) => element('th', { scope: 'col' }, text))))
  for (const policy of data.policies) {
    const cells = [
      formatUsd(policy.costUsd),
      formatShare(policy.kept),
      formatShare(policy.hitRate * 100),
      String(policy.compactions),
      String(policy.waits),
      String(policy.overWindow),
      policy.about,
      policy.source,
    ]
    table.append(
      element('tr', {}, element('th', { scope: 'row' }, policy.name), ...cells.map((text) => element('td', {}, text))),
    )
  }
  return element('section', { class: 'wide', role: 'region', 'aria-label': 'policies', tabindex: 0 }, table)
}

render()
let drawnWidth = document.documentElement.clientWidth
addEventListener('resize', () => {
  // A phone's address bar changes the height alone.
  if (document.documentElement.clientWidth === drawnWidth) return
  drawnWidth = document.documentElement.clientWidth
  render()
})
