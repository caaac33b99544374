import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface UpstreamCall {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export interface Upstream {
  readonly url: string
  readonly calls: UpstreamCall[]
}

/** A provider of Anthropic's wire that keeps what it is sent. Gone after the test. */
export async function startUpstream(
  answer: (outgoing: ServerResponse, call: UpstreamCall) => void = sayNoted,
): Promise<Upstream> {
  const calls: UpstreamCall[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const call = { url: incoming.url ?? '', headers: incoming.headers, body: Buffer.concat(chunks) }
      calls.push(call)
      answer(outgoing, call)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

function sayNoted(outgoing: ServerResponse, { body }: UpstreamCall): void {
  const usage = { input_tokens: Math.ceil(body.length / 4), output_tokens: 2 }
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify({ content: [{ type: 'text', text: 'Noted.' }], usage }))
}

/** Points the gateway of this data folder to an upstream whose models hold 32,000 tokens. */
export async function configureUpstream(folder: string, url: string): Promise<void> {
  const models = { 'anthropic/some-model': { contextWindow: 32_000 } }
  await writeFile(join(folder, 'config.json5'), JSON.stringify({ gateway: { upstreams: { anthropic: url } }, models }))
}

export interface ClientMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** Twenty-five times a question of 3,000 characters with its answer: more than the window holds. */
export function longTalk(turns: number): readonly ClientMessage[] {
  const filler = 'The soil is dry and wants some water. '.repeat(79)
  return Array.from({ length: turns }, (_, turn): readonly ClientMessage[] => [
    { role: 'user', content: `Bed ${turn}: ${filler}` },
    { role: 'assistant', content: `Noted, bed ${turn}.` },
  ]).flat()
}

export function bodyOf(messages: readonly ClientMessage[]): string {
  return JSON.stringify({ model: 'some-model', max_tokens: 99, tools: [{ name: 'read_file' }], messages })
}

/** The messages of a call as JSON texts. */
export function messagesOf({ body }: UpstreamCall): readonly string[] {
  const { messages } = JSON.parse(body.toString('utf8')) as { messages: readonly unknown[] }
  return messages.map((message) => JSON.stringify(message))
}
