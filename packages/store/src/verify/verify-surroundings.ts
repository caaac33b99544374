import type { Problem, Store } from '../port/store.ts'
import { ADVICE, orProblem } from './findings.ts'
import type { Findings } from './findings.ts'

export interface KnownOfSession {
  readonly sessionId: string
  readonly entryIds: ReadonlyMap<string, number>
  /** Those its entries refer to. */
  readonly artifactIds: ReadonlySet<string>
}

/** What belongs to a session besides its entries: inbox, artifacts, manifests. */
export async function verifySurroundings(store: Store, known: KnownOfSession, findings: Findings): Promise<void> {
  const { sessionId } = known
  const problem = (what: string): Problem => ({ sessionId, what, advice: ADVICE.restore })
  await orProblem(findings, problem('Its inbox cannot be read'), () => verifyInbox(store, known, findings))
  await orProblem(findings, problem('Its artifacts cannot be read'), () => verifyArtifacts(store, known, findings))
  await orProblem(findings, problem('Its requests cannot be read'), () => verifyRequests(store, known, findings))
}

async function verifyInbox(store: Store, { sessionId, entryIds }: KnownOfSession, findings: Findings): Promise<void> {
  const items = await store.inbox.list(sessionId)
  const isInOrder = items.every(({ position }, index) => index === 0 || position > (items[index - 1]?.position ?? 0))
  if (!isInOrder) findings.addProblem(sessionId, 'The order of its inbox is lost.', ADVICE.restore)
  const answered = items.filter(({ id, kind }) => kind === 'message' && entryIds.has(id)).map(({ id }) => id)
  if (answered.length === 0) return
  const what = `Messages wait in its inbox that are in the transcript already: ${answered.join(', ')}.`
  findings.addProblem(sessionId, what, 'Settle them, or they are answered twice.')
}

async function verifyArtifacts(store: Store, known: KnownOfSession, findings: Findings): Promise<void> {
  const { sessionId, artifactIds } = known
  const kept = new Set<string>()
  for (const { id } of await store.artifacts.list(sessionId)) {
    kept.add(id)
    if ((await store.artifacts.read(sessionId, id)) === null) {
      findings.addProblem(sessionId, `The content of artifact ${id} is gone.`, ADVICE.restore)
    }
  }
  const gone = [...artifactIds].filter((id) => !kept.has(id))
  if (gone.length === 0) return
  const what = `${gone.length} of the full tool results its entries refer to are not kept, the first is ${gone[0]}.`
  findings.addNotice(sessionId, what, `Retention deletes them by age. ${ADVICE.none}`)
}

/** A manifest that rests on one that was deleted is not listed: a gap in the numbers shows it. */
async function verifyRequests(store: Store, { sessionId }: KnownOfSession, findings: Findings): Promise<void> {
  let above: number | null = null
  let missing = 0
  let next: number | null = null
  do {
    const page = await store.requests.list(sessionId, next === null ? {} : { before: next })
    for (const { manifest } of page.items) {
      if (above !== null) missing += above - manifest.number - 1
      above = manifest.number
    }
    next = page.next
  } while (next !== null)
  if (missing === 0) return
  const what = `${missing} of its requests cannot be explained any more.`
  findings.addNotice(sessionId, what, `Their manifests rest on others that are gone. ${ADVICE.none}`)
}
