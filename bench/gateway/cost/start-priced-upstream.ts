import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { createRegistry, priceUsage } from '@longhaul/models/prices'
import { createPromptCache } from '../../../packages/replay/src/cache/prompt-cache.ts'
import type { ScriptedStep } from './script-session.ts'

export interface Bill {
  readonly requests: number
  readonly summaries: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  /** The largest request. */
  readonly most: number
  readonly costUsd: number
}

/** What the model says next: a call of a tool, or an answer. */
type Reply = { readonly step: ScriptedStep; readonly id: string } | { readonly answer: string }

export interface PricedUpstream {
  readonly url: string
  /** The next call that offers tools gets this reply. Any other call is one for a summary. */
  readonly reply: (reply: Reply) => void
  readonly bill: () => Bill
  readonly close: () => Promise<void>
}

export interface Body {
  readonly system?: unknown
  readonly tools?: readonly unknown[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

const CHARS_PER_TOKEN = 3.2
/** From one request to the next, a tool's work included. The cache stays warm. */
const STEP_MS = 10_000
const SUMMARY_CHARS = 6_000

export const countTokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / CHARS_PER_TOKEN)

/** An upstream that speaks Anthropic's wire, has a prompt cache as replay models it, and bills at list prices. */
export async function startPricedUpstream(model: string): Promise<PricedUpstream> {
  const { cache: rules, price } = createRegistry().describe(`anthropic/${model}`)
  const cache = createPromptCache(rules)
  const noCache = createPromptCache(null)
  let bill: Bill = { requests: 0, summaries: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, most: 0, costUsd: 0 }
  let next: Reply = { answer: '' }
  let at = 0

  function answer(body: Body): object {
    const isTurn = (body.tools?.length ?? 0) > 0 && !isCompaction(body)
    at += STEP_MS
    const head = { system: body.system, tools: body.tools }
    const items = [head, ...body.messages].map((item) => {
      const key = JSON.stringify(item)
      const blocks = 'content' in item && Array.isArray(item.content) ? item.content.length : 1
      return { key, tokens: Math.ceil(key.length / CHARS_PER_TOKEN), blocks }
    })
    // Clients mark what is to be kept; a call for a summary marks nothing, and pays for no write.
    const isMarked = JSON.stringify(body).includes('"cache_control"')
    const { readTokens, writeTokens, missTokens } = (isMarked ? cache : noCache).send(items, at)
    const input = readTokens + writeTokens + missTokens
    const content = isTurn ? write(next) : [{ type: 'text', text: summaryOf(body) }]
    const output = countTokens(content)
    const usage = { input, output, cacheRead: readTokens, cacheWrite: writeTokens }
    bill = {
      requests: bill.requests + (isTurn ? 1 : 0),
      summaries: bill.summaries + (isTurn ? 0 : 1),
      input: bill.input + input,
      cacheRead: bill.cacheRead + readTokens,
      cacheWrite: bill.cacheWrite + writeTokens,
      output: bill.output + output,
      most: Math.max(bill.most, input),
      costUsd: bill.costUsd + (priceUsage(price, usage) ?? Number.NaN),
    }
    const billed = {
      input_tokens: missTokens,
      cache_read_input_tokens: readTokens,
      cache_creation_input_tokens: writeTokens,
      output_tokens: output,
    }
    return { type: 'message', role: 'assistant', content, usage: billed, stop_reason: 'end_turn' }
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const text = await readText(incoming)
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(answer(JSON.parse(text) as Body)))
  }

  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reply: (reply) => void (next = reply),
    bill: () => bill,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function write(reply: Reply): readonly object[] {
  if ('answer' in reply) return [{ type: 'text', text: reply.answer }]
  const { say, tool, input } = reply.step
  return [
    { type: 'text', text: say },
    { type: 'tool_use', id: reply.id, name: tool, input },
  ]
}

export const COMPACT = 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools. Summarize the conversation so far.'

function isCompaction({ messages }: Body): boolean {
  return JSON.stringify(messages.at(-1)).includes(COMPACT)
}

/** As long for everybody: lines of the request itself. */
function summaryOf({ messages }: Body): string {
  const said =
    JSON.stringify(messages).match(/Part \d+: [^"]{0,200}|Part \d+ is mended[^"]{0,200}|Step \d+: [^"]{0,80}/g) ?? []
  return `<summary>\n${[...new Set(said)]
    .map((line) => `+ Done: ${line}`)
    .join('\n')
    .slice(-SUMMARY_CHARS)}\n</summary>`
}
