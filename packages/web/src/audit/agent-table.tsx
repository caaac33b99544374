import { showBound, showNumber, showTokens, showUsd } from './known.ts'
import type { Overview } from './overview.ts'

const TITLES = [
  'Sessions',
  'Compactions',
  'Needed again',
  'Lost',
  'Tokens again',
  'Cost',
  'Lost',
  'Tokens again',
  'Cost',
]

/** A line an agent, with what Longhaul would have done on the same sessions and how to run it so. */
export function AgentTable({ agents }: Pick<Overview, 'agents'>) {
  return (
    <>
      <div role="region" aria-label="Agents" tabIndex={0} className="overflow-x-auto rounded-2xl border border-line">
        <table className="w-full text-[0.8125rem] whitespace-nowrap tabular-nums">
          <thead className="text-muted">
            <tr>
              <td colSpan={7} />
              <th scope="colgroup" colSpan={3} className="border-l border-line px-3 pt-2 text-center font-normal">
                With Longhaul
              </th>
            </tr>
            <tr className="border-b border-line">
              <th scope="col" className="px-3 py-2 text-left font-normal">
                Agent
              </th>
              {TITLES.map((title, place) => (
                <th key={place} scope="col" className={`px-3 py-2 text-right font-normal ${edge(place)}`}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {agents.map(({ name, withLonghaul, ...agent }) => (
              <tr key={agent.agent}>
                <th scope="row" className="px-3 py-2 text-left font-medium">
                  {name}
                </th>
                {[
                  showNumber(agent.sessions),
                  showNumber(agent.compactions),
                  showNumber(agent.needed),
                  showNumber(agent.lost),
                  showTokens(agent.refetchedTokens),
                  `${agent.costUsd !== null && agent.unpriced > 0 ? '≥ ' : ''}${showUsd(agent.costUsd)}`,
                  showNumber(withLonghaul?.lost ?? null),
                  showBound(withLonghaul?.refetchedTokensAtMost ?? null),
                  showUsd(withLonghaul?.costUsd ?? null),
                ].map((cell, place) => (
                  <td key={place} className={`px-3 py-2 text-right ${edge(place)}`}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-2 max-w-prose text-xs text-muted">
        “With Longhaul” is a replay of the same sessions through Longhaul’s own policy, at the same window, with
        summaries written by code; “≤”: nobody can know what the agent would have fetched.
      </p>
      <h3 className="mt-4 text-sm font-semibold">How to run them with Longhaul</h3>
      <ul className="mt-1 space-y-1 text-[0.8125rem]">
        {agents.map(({ agent, name, cure }) => (
          <li key={agent}>
            <span className="font-medium">{name}</span>: {cure}
          </li>
        ))}
      </ul>
    </>
  )
}

/** A line before the three columns of Longhaul. */
function edge(place: number): string {
  return place === TITLES.length - 3 ? 'border-l border-line' : ''
}
