import type { WireName } from '../wires/wire.ts'
import { fieldsOf, stringOf } from '../wires/read-content.ts'

/** A program that keeps its own history and sends all of it each time. */
export interface WireClient {
  /** The bodies it has sent. */
  readonly bodies: readonly string[]
  /** Says something and resolves with the answer. */
  readonly say: (text: string, options?: { readonly isStreamed?: boolean }) => Promise<ClientAnswer>
}

interface ClientAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

export interface WireClientOptions {
  /** Asked for at each call, because a gateway that was started again has another port. */
  readonly url: () => string
  readonly wire: WireName
  readonly headers?: Readonly<Record<string, string>>
  readonly system?: string
}

const PATHS = {
  anthropic: '/gateway/anthropic/v1/messages',
  'openai-chat': '/gateway/openai/v1/chat/completions',
  'openai-responses': '/gateway/openai/v1/responses',
} as const

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } }

export function createWireClient({
  url,
  wire,
  headers = {},
  system = 'You are a gardener.',
}: WireClientOptions): WireClient {
  const history: unknown[] = []
  const bodies: string[] = []
  const call = { anthropic: anthropicCall, 'openai-chat': chatCall, 'openai-responses': responsesCall }[wire]
  const key =
    wire === 'anthropic' ? { 'x-api-key': 'sk-the-secret-key' } : { authorization: 'Bearer sk-the-secret-key' }
  return {
    bodies,
    async say(text, { isStreamed = false } = {}) {
      history.push(say(wire, 'user', text))
      const body = JSON.stringify({
        model: 'some-model',
        ...call(history, system),
        ...(isStreamed ? { stream: true } : {}),
      })
      bodies.push(body)
      const answer = await fetch(url() + PATHS[wire], {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...key, ...headers },
        body,
      })
      const raw = await answer.text()
      if (!answer.ok) return { status: answer.status, text: raw, headers: answer.headers }
      const said = isStreamed ? readStream(raw) : readWhole(JSON.parse(raw))
      history.push(say(wire, 'assistant', said))
      return { status: answer.status, text: said, headers: answer.headers }
    },
  }
}

function say(wire: WireName, role: 'user' | 'assistant', text: string): unknown {
  if (wire === 'openai-chat') return { role, content: text }
  if (wire === 'anthropic') return { role, content: [{ type: 'text', text }] }
  return { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] }
}

function anthropicCall(messages: readonly unknown[], system: string): object {
  const tools = [{ name: 'read_file', description: 'Reads a file.', input_schema: SCHEMA }]
  return { max_tokens: 1_000, system, tools, messages }
}

function chatCall(messages: readonly unknown[], system: string): object {
  const tools = [
    { type: 'function', function: { name: 'read_file', description: 'Reads a file.', parameters: SCHEMA } },
  ]
  return { messages: [{ role: 'system', content: system }, ...messages], tools }
}

function responsesCall(input: readonly unknown[], instructions: string): object {
  const tools = [{ type: 'function', name: 'read_file', description: 'Reads a file.', parameters: SCHEMA }]
  return { instructions, input, tools, store: false }
}

function readWhole(answer: unknown): string {
  const { content, choices, output } = fieldsOf(answer)
  const blocks = [content, output].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
  const inside = blocks.flatMap((block) => {
    const nested = fieldsOf(block)['content']
    return Array.isArray(nested) ? (nested as unknown[]) : [block]
  })
  const chat: unknown = Array.isArray(choices) ? choices[0] : null
  return (
    stringOf(fieldsOf(fieldsOf(chat)['message'])['content']) +
    inside.map((block) => stringOf(fieldsOf(block)['text'])).join('')
  )
}

function readStream(raw: string): string {
  return raw
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => {
      const event = fieldsOf(JSON.parse(line.slice('data: '.length)))
      if (event['type'] === 'response.output_text.delta') return stringOf(event['delta'])
      const chunk: unknown = Array.isArray(event['choices']) ? event['choices'][0] : null
      return stringOf(fieldsOf(event['delta'])['text']) + stringOf(fieldsOf(fieldsOf(chunk)['delta'])['content'])
    })
    .join('')
}
