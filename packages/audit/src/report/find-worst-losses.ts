import type { LostFact, SessionAudit } from './audit-report.ts'

/** A fact that was lost, with the session that lost it. */
export interface WorstLoss {
  readonly fact: LostFact
  /** The session's place in the report. */
  readonly session: number
  /** How many compactions of the session lost it. */
  readonly times: number
}

/** Kinds of facts, those that are hardest to look up again first. */
const KINDS = ['code', 'number', 'quote', 'name', 'address', 'identifier', 'path']
const MAX_OF_A_SESSION = 2

/**
 * The losses that hurt most: first what a person had to say again, then what a person had said, then by kind, then what
 * was lost most often. At most two of a session, unless there are no others.
 */
export function findWorstLosses(sessions: readonly SessionAudit[], wanted: number): readonly WorstLoss[] {
  const all = sessions.flatMap(listLosses).toSorted((a, b) => weigh(b) - weigh(a))
  const taken = new Map<number, number>()
  const first: WorstLoss[] = []
  const rest: WorstLoss[] = []
  for (const loss of all) {
    const count = taken.get(loss.session) ?? 0
    taken.set(loss.session, count + 1)
    if (count < MAX_OF_A_SESSION) first.push(loss)
    else rest.push(loss)
  }
  return [...first, ...rest].slice(0, wanted)
}

/** Each fact of a session once. */
function listLosses({ compactions }: SessionAudit, session: number): readonly WorstLoss[] {
  const losses = Map.groupBy(
    compactions.flatMap(({ lost }) => lost),
    ({ kind, text }) => `${kind} ${text}`,
  )
  return [...losses.values()].flatMap((group) =>
    group[0] === undefined ? [] : [{ fact: group[0], session, times: group.length }],
  )
}

function weigh({ fact, times }: WorstLoss): number {
  const place = KINDS.indexOf(fact.kind)
  const ofKind = place === -1 ? KINDS.length : place
  const wasAskedAgain = fact.neededAt.by === 'user' ? 1_000 : 0
  const wasSaid = fact.saidAt.by === 'user' ? 500 : 0
  return wasAskedAgain + wasSaid + (KINDS.length - ofKind) * 20 + Math.min(times, 10)
}
