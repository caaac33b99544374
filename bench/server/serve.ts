// The server of the bench, in a process of its own: `node serve.ts FOLDER PROVIDER_URL`. Tells its address, then its memory.
import { createRuntime, loadConfig } from '@longhaul/runtime'
import { startServer } from '@longhaul/server'
import type { ServerMessage } from './start-server-process.ts'

const REPORT_MS = 500

const [folder = '', baseURL = ''] = process.argv.slice(2)
const source = JSON.stringify({
  providers: {
    fake: { type: 'openai-compatible', baseURL, models: { fake: { contextWindow: 128_000, maxOutput: 4_096 } } },
  },
  agents: { defaults: { model: 'fake/fake' } },
})
const config = await loadConfig({
  environment: { LONGHAUL_DATA: folder, PATH: process.env['PATH'] },
  homeFolder: folder,
  readFile: () => Promise.resolve(source),
})
const server = await startServer({ runtime: (parts) => createRuntime(config, parts), port: 0 })

function tell(message: ServerMessage): void {
  if (process.connected) process.send?.(message)
}

tell({ url: server.url })
const timer = setInterval(() => {
  const { user, system } = process.cpuUsage()
  tell({ at: Date.now(), memoryBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1_000 })
}, REPORT_MS)
process.once('disconnect', () => {
  clearInterval(timer)
  void server.close()
})
