import type { Entry, MessageEntry, Usage } from '@longhaul/engine/advanced'
import type { ImportedSession } from '@longhaul/store/jsonl'

interface SessionSpec {
  readonly turns: number
  readonly stepsPerTurn: number
  /** Of each tool result. */
  readonly resultChars: number
  readonly usage?: (request: number) => Usage
}

/** A coding session: the user asks, the model reads files, and every other turn goes back to an earlier one. */
export function buildSession({ turns, stepsPerTurn, resultChars, usage }: SessionSpec): ImportedSession {
  const entries: Entry[] = []
  let requests = 0
  const add = (message: Pick<MessageEntry, 'role' | 'parts'>): void => {
    const seq = entries.length + 1
    const bill = message.role === 'assistant' ? usage?.(requests) : undefined
    if (message.role === 'assistant') requests += 1
    entries.push({
      type: 'message',
      seq,
      id: `x${seq}`,
      at: 1_700_000_000_000 + seq * 10_000,
      ...message,
      ...(bill === undefined ? {} : { usage: bill }),
    })
  }
  for (let turn = 0; turn < turns; turn += 1) {
    add({
      role: 'user',
      parts: [
        {
          type: 'text',
          text: `Please look into src/part-${turn}.ts. Never change src/part-${turn % 3}.ts without a test.`,
        },
      ],
    })
    for (let step = 0; step < stepsPerTurn; step += 1) {
      const toolCallId = `c${turn}-${step}`
      const path = `src/part-${turn}-${step}.ts`
      add({ role: 'assistant', parts: [{ type: 'tool-call', toolCallId, toolName: 'read', input: { path } }] })
      add({
        role: 'tool',
        parts: [
          {
            type: 'tool-result',
            toolCallId,
            toolName: 'read',
            output: `${path} holds ${'some code '.repeat(resultChars / 10)}`,
          },
        ],
      })
    }
    const back = turn % 2 === 1 ? ` As in src/part-${Math.max(0, turn - 5)}-0.ts before.` : ''
    add({
      role: 'assistant',
      parts: [{ type: 'text', text: `Turn ${turn} is done.${back} We decided to keep option ${turn}.` }],
    })
  }
  const session = { id: 'built', createdAt: 0, model: 'anthropic/claude-opus-4-5' }
  return { format: 'longhaul', session, entries, artifacts: [], skipped: [] }
}
