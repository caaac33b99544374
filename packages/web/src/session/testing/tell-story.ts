import type { Message, SessionEvent } from '@longhaul/protocol'

/** How one turn goes: each round is an answer with calls, then comes the end. */
export interface TurnPlan {
  readonly rounds: readonly { readonly texts: number; readonly calls: number }[]
  readonly texts: number
  readonly end: 'complete' | 'error' | 'aborted'
  /** The last request is sent twice: what came first is told again. */
  readonly isRetried: boolean
}

/** What a server does, in order: an entry is stored before the events that tell of it. */
export type Deed =
  | { readonly store: Message }
  | { readonly tell: { readonly id: string; readonly event: SessionEvent } }

/** Every word is said once, so that a word shown twice or not at all stands out. */
export function tellStory(turns: readonly TurnPlan[]): readonly Deed[] {
  const deeds: Deed[] = []
  let seq = 0
  let events = 0
  let words = 0
  const word = (): string => `word${(words += 1)}.`
  type Ending = { readonly finish: string } & Pick<Message, 'failure'>
  const store = (role: Message['role'], id: string, parts: Message['parts'], ending?: Ending): void => {
    seq += 1
    const at = seq * 1_000
    deeds.push({ store: { type: 'message', seq, id, at, role, parts, ...ending } })
  }
  type Body = SessionEvent extends infer Event ? (Event extends SessionEvent ? Omit<Event, 'turnId'> : never) : never
  for (const [index, plan] of turns.entries()) {
    const turnId = `turn${index}`
    const tell = (body: Body): void => {
      events += 1
      deeds.push({ tell: { id: String(events), event: { ...body, turnId } } })
    }
    const say = (count: number): string => {
      const said = Array.from({ length: count }, word)
      for (const text of said) tell({ type: 'text-delta', text })
      return said.join('')
    }
    tell({ type: 'message-stored', id: turnId })
    store('user', turnId, [{ type: 'text', text: word() }])
    for (const [round, { texts, calls }] of plan.rounds.entries()) {
      const text = say(texts)
      const made = Array.from({ length: calls }, (_, call) => `${turnId}-${round}-call${call}`)
      for (const id of made) tell({ type: 'tool-call', id, name: 'look', input: { at: word() } })
      const input = (id: string) =>
        deeds.flatMap((deed) =>
          'tell' in deed && deed.tell.event.type === 'tool-call' && deed.tell.event.id === id
            ? [deed.tell.event.input]
            : [],
        )[0] ?? {}
      store('assistant', `${turnId}-${round}`, [
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...made.map((id) => ({ type: 'tool-call' as const, toolCallId: id, toolName: 'look', input: input(id) })),
      ])
      for (const id of made) {
        const output = word()
        store('tool', `${id}-result`, [{ type: 'tool-result', toolCallId: id, toolName: 'look', output }])
        tell({ type: 'tool-result', id, name: 'look', output, truncated: false, isError: false })
      }
    }
    if (plan.isRetried) {
      const before = words
      say(plan.texts)
      tell({ type: 'retry', attempt: 1, reason: 'rate-limited' })
      words = before
    }
    const text = say(plan.texts)
    const id = `${turnId}-last`
    const parts = text === '' ? [] : [{ type: 'text' as const, text }]
    if (plan.end === 'complete') {
      store('assistant', id, parts, { finish: 'stop' })
      tell({ type: 'response-complete', id, text })
    } else {
      const failure = { code: 'provider-unavailable', message: `no answer: ${word()}` } as const
      store('assistant', id, parts, { finish: plan.end, ...(plan.end === 'error' && { failure }) })
      if (plan.end === 'error') tell({ type: 'error', ...failure })
    }
    tell({ type: 'done' })
  }
  return deeds
}
