import type { JsonObject, Message, ToolCallPart } from '@longhaul/engine/advanced'
import { createRandom, pick, pickBetween, pickLogNormal } from './random.ts'
import type { Random } from './random.ts'
import { createText } from './text.ts'
import type { TextKind } from './text.ts'

/** One step of an agent: the model has answered, and what it is to see next has come in. Two to four messages. */
export interface Turn {
  readonly answer: Message
  /** One message for each tool result, or the user's next message. */
  readonly input: readonly Message[]
}

/** After this many steps the model is done and the user speaks: as in recorded sessions of coding agents. */
const STEPS_PER_REPLY = 9
/** Recorded sessions: half of all results are below 200 characters, one in seventy is above 10,000. */
const RESULT_MEDIAN_CHARS = 200
const RESULT_SPREAD = 1.8
const RESULT_MAX_CHARS = 30_000

const TOOLS: readonly { name: string; kind: TextKind; input: (random: Random) => JsonObject }[] = [
  {
    name: 'bash',
    kind: 'log',
    input: (random) => ({ command: createText(random, 'log', pickBetween(random, 20, 160)) }),
  },
  { name: 'bash', kind: 'log', input: (random) => ({ command: `npm test -- ${pickPath(random)}`, timeoutMs: 60_000 }) },
  { name: 'read', kind: 'code', input: (random) => ({ path: pickPath(random) }) },
  { name: 'grep', kind: 'log', input: () => ({ pattern: 'cursor|offset', path: 'src' }) },
  {
    name: 'edit',
    kind: 'prose',
    input: (random) => ({
      path: pickPath(random),
      oldText: createText(random, 'code', pickBetween(random, 40, 400)),
      newText: createText(random, 'code', pickBetween(random, 40, 600)),
    }),
  },
  {
    name: 'fetch',
    kind: 'json',
    input: (random) => ({ url: `https://api.example.com/orders?page=${pickBetween(random, 1, 900)}` }),
  },
]

const FIRST_MESSAGE: Message = userMessage(createRandom(0))

/** The same turn for the same number, in new objects each time: nothing is remembered about them. */
export function createTurn(number: number): Turn {
  const random = createRandom(number + 1)
  if ((number + 1) % STEPS_PER_REPLY === 0) {
    const text = createText(random, 'prose', pickBetween(random, 300, 1_500))
    return { answer: { role: 'assistant', parts: [{ type: 'text', text }] }, input: [userMessage(random)] }
  }
  const luck = random()
  const tools = Array.from({ length: luck < 0.7 ? 1 : luck < 0.9 ? 2 : 3 }, () => pick(random, TOOLS))
  const calls = tools.map(({ name, input }, index): ToolCallPart => ({
    type: 'tool-call',
    toolCallId: `call-${number}-${index}`,
    toolName: name,
    input: input(random),
  }))
  const text = createText(random, 'prose', pickBetween(random, 20, 300))
  return {
    answer: { role: 'assistant', parts: [{ type: 'text', text }, ...calls] },
    input: calls.map(({ toolCallId, toolName }, index): Message => {
      const chars = Math.min(RESULT_MAX_CHARS, pickLogNormal(random, RESULT_MEDIAN_CHARS, RESULT_SPREAD))
      const output = createText(random, tools[index]?.kind ?? 'log', chars)
      return { role: 'tool', parts: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }),
  }
}

/** So many messages from a turn on, without a session around them. */
export function createMessages(count: number, firstTurn = 0): readonly Message[] {
  const messages: Message[] = [FIRST_MESSAGE]
  for (let number = firstTurn; messages.length < count; number += 1) {
    const { answer, input } = createTurn(number)
    messages.push(answer, ...input)
  }
  return messages.slice(0, count)
}

function userMessage(random: Random): Message {
  return { role: 'user', parts: [{ type: 'text', text: createText(random, 'prose', pickBetween(random, 40, 500)) }] }
}

function pickPath(random: Random): string {
  return `src/importer/part-${pickBetween(random, 1, 60)}.ts`
}
