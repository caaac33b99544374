// A real server in a process of its own, whose model takes its time: node slow-server.ts '{"folder":"…","port":0,…}'
import { createScriptedModel } from '@longhaul/models/testing'
import { createRuntime, loadConfig } from '@longhaul/runtime'
import { startServer } from '@longhaul/server'

export interface SlowServerOptions {
  /** Its data folder. */
  readonly folder: string
  readonly port: number
  /** Without it, SQLite in the folder. */
  readonly store?: string
  readonly schema?: string
  /** Before each word of an answer. */
  readonly pieceMs: number
}

const { folder, port, store, schema, pieceMs } = JSON.parse(process.argv[2] ?? '{}') as SlowServerOptions

const model = createScriptedModel(({ prompt }) => ({
  text: `You said: ${lastWords(prompt)}. That is all.`,
  delays: { pieceMs },
}))
const info = { contextWindow: 64_000, maxOutput: 4_096 }
const config = await loadConfig({
  environment: { LONGHAUL_DATA: folder, ...(store === undefined ? {} : { LONGHAUL_STORE: store }) },
  homeFolder: folder,
  readFile: () =>
    Promise.resolve(
      JSON.stringify({
        ...(schema === undefined ? {} : { postgres: { schema, poolSize: 4 } }),
        agents: { defaults: { model: 'slow/slow' } },
      }),
    ),
})
const server = await startServer({
  runtime: (parts) => createRuntime(config, { models: { extra: { 'slow/slow': { model, info } } }, ...parts }),
  port,
  graceMs: 0,
})
console.log(server.url)
process.once('SIGTERM', () => void server.close())

function lastWords(prompt: readonly { readonly role: string; readonly content: unknown }[]): string {
  const { content } = prompt.findLast(({ role }) => role === 'user') ?? {}
  const [part] = Array.isArray(content) ? (content as readonly { readonly text?: string }[]).slice(-1) : []
  return part?.text ?? ''
}
