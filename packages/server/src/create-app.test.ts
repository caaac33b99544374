import type { LogLine } from '@longhaul/runtime'
import { expect, it, onTestFinished } from 'vitest'
import { createApp } from './create-app.ts'
import { createServerContext } from './create-server-context.ts'
import { createLogger } from './telemetry/create-logger.ts'
import { openRuntime } from './testing/start-app.ts'

it('what nobody expected is logged with where it came from, without ids and secrets; the client hears no more', async () => {
  const written: string[] = []
  const log = createLogger({ destination: { write: (line) => void written.push(line) } })
  const { context, stop } = createServerContext({ runtime: await openRuntime(), host: '127.0.0.1', log })
  onTestFinished(stop)
  const app = createApp(context)
  app.get('/api/broken/:id', () => {
    throw new TypeError('It broke', { cause: new Error('with sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789') })
  })
  const response = await app.request('/api/broken/private-name')
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('create-app.test')
  const lines = written.map((line) => JSON.parse(line) as LogLine)
  const failed = lines.find(({ event }) => event === 'request-failed')
  expect(failed).toMatchObject({ message: 'It broke', route: '/api/broken/:id', method: 'GET' })
  expect(failed?.['stack']).toContain('create-app.test.ts')
  expect(failed?.['cause']).toContain('Error: with')
  expect(written.join('')).not.toMatch(/private-name|abcdefghijklmnop/)
})
