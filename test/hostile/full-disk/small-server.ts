// A real server whose data lies on a disk of a few megabytes: node small-server.ts '{"folder":"…"}'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createScriptedModel } from '@longhaul/models/testing'
import { createRuntime, loadConfig } from '@longhaul/runtime'
import { startServer } from '@longhaul/server'

export interface SmallServerOptions {
  /** Its data folder. */
  readonly folder: string
  /** Files that are put beside the data first, by their sizes in bytes; whoever deletes one makes room. */
  readonly ballast: Readonly<Record<string, number>>
}

const { folder, ballast } = JSON.parse(process.argv[2] ?? '{}') as SmallServerOptions
for (const [name, bytes] of Object.entries(ballast)) writeFileSync(join(folder, name), Buffer.alloc(bytes))

const model = createScriptedModel(({ prompt }) => `You said: ${lastWords(prompt)} ${'A long answer. '.repeat(4_000)}`)
const info = { contextWindow: 1_000_000, maxOutput: 4_096 }
const config = await loadConfig({
  environment: { LONGHAUL_DATA: folder },
  homeFolder: folder,
  readFile: () => Promise.resolve(JSON.stringify({ agents: { defaults: { model: 'small/small' } } })),
})
const server = await startServer({
  runtime: (parts) => createRuntime(config, { models: { extra: { 'small/small': { model, info } } }, ...parts }),
  port: 0,
  graceMs: 0,
})
console.log(server.url)
process.once('SIGTERM', () => void server.close())

function lastWords(prompt: readonly { readonly role: string; readonly content: unknown }[]): string {
  const { content } = prompt.findLast(({ role }) => role === 'user') ?? {}
  const [part] = Array.isArray(content) ? (content as readonly { readonly text?: string }[]).slice(-1) : []
  return (part?.text ?? '').slice(0, 20)
}
