// A real server in a process of its own, whose model does whatever it is told: node obedient-server.ts '{"folder":"…"}'
// A message that is JSON, {"calls":[{"name":"…","input":{…}}]}, makes the model call these tools in one answer; any other
// message makes it answer with its whole system text. A line on stdin, {"sessionId","callId","allow"}, is a person's answer.
import { createInterface } from 'node:readline'
import { createScriptedModel } from '@longhaul/models/testing'
import { createRuntime, loadConfig } from '@longhaul/runtime'
import type { Runtime } from '@longhaul/runtime'
import { startServer } from '@longhaul/server'

export interface ObedientServerOptions {
  /** Its data folder. */
  readonly folder: string
  /** Default: it lies in the data folder. */
  readonly workspace?: string
}

interface ToldCall {
  readonly name: string
  readonly input: Record<string, string>
}

const { folder, ...places } = JSON.parse(process.argv[2] ?? '{}') as ObedientServerOptions

const model = createScriptedModel(({ prompt }) => {
  if (prompt.at(-1)?.role === 'tool') return 'Done.'
  const { calls } = readOrders(textOf(prompt.findLast(({ role }) => role === 'user')?.content))
  if (calls === null) return `System: ${textOf(prompt.find(({ role }) => role === 'system')?.content)}`
  return { toolCalls: calls.map((call, index) => ({ id: `call-${index}`, ...call })) }
})
const config = await loadConfig({
  environment: { LONGHAUL_DATA: folder, PATH: process.env['PATH'] },
  homeFolder: folder,
  readFile: () => Promise.resolve(JSON.stringify({ agents: { defaults: { model: 'obedient/model' } }, ...places })),
})
const extra = { 'obedient/model': { model, info: { contextWindow: 1_000_000, maxOutput: 4_096 } } }
let runtime: Runtime | undefined
const server = await startServer({
  runtime: async (parts) => {
    const log = ({ event, message }: { readonly event: string; readonly message: string }): void =>
      console.error(`${event}: ${message}`)
    runtime = await createRuntime(config, { models: { extra }, log, ...parts })
    return runtime
  },
  port: 0,
  graceMs: 0,
})
createInterface({ input: process.stdin }).on('line', (line) => {
  const { sessionId, callId, allow } = JSON.parse(line) as { sessionId: string; callId: string; allow: boolean }
  void runtime?.agent.approve(sessionId, callId, allow)
})
console.log(server.url)
process.once('SIGTERM', () => {
  process.stdin.destroy()
  void server.close()
})

function readOrders(text: string): { readonly calls: readonly ToldCall[] | null } {
  try {
    return JSON.parse(text) as { readonly calls: readonly ToldCall[] }
  } catch {
    return { calls: null }
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? (content as readonly { readonly text?: string }[]) : []
  return parts.map(({ text = '' }) => text).join('')
}
