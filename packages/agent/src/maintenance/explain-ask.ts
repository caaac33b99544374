import { createAskManifest, readFailedBill } from '@longhaul/engine/advanced'
import type { AskModel, PromptContent } from '@longhaul/engine/advanced'
import type { ActiveSession } from '../session/active-session.ts'

export interface AskedAbout {
  readonly purpose: 'summary' | 'title'
  readonly model: string
  /** What is said of a call that does not say itself what it holds. */
  readonly content: PromptContent
}

/** The same port to a model, with a manifest for each call and what came of it. */
export function explainAsk(session: ActiveSession, about: AskedAbout, ask: AskModel): AskModel {
  const { agent, journal } = session
  return async (request, signal) => {
    const { system, prompt, content = about.content } = request
    const { base } = session.log.state().head
    const number = await journal.note(
      createAskManifest({
        ...about,
        number: 0,
        at: agent.now(),
        system,
        prompt,
        content,
        summary: base.summary,
        baseId: base.entry?.id ?? null,
        estimator: session.policy().estimator,
      }),
    )
    try {
      const reply = await ask(request, signal)
      journal.settle(number, reply.finish, reply.usage ?? null)
      return reply
    } catch (error) {
      journal.settle(number, signal.aborted ? 'aborted' : kindOf(error), readFailedBill(error) ?? null)
      throw error
    }
  }
}

/** A provider's failure says its kind; whatever else was thrown is an error. */
function kindOf(error: unknown): string {
  const failure = error instanceof Error && 'failure' in error ? error.failure : null
  const kind = typeof failure === 'object' && failure !== null && 'kind' in failure ? failure.kind : null
  return typeof kind === 'string' ? kind : 'error'
}
