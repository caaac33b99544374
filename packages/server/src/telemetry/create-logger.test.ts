import type { LogLine } from '@longhaul/runtime'
import { describe, expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'
import { createLogger } from './create-logger.ts'
import type { LoggerOptions } from './create-logger.ts'

function start(options: Omit<LoggerOptions, 'destination'> = {}) {
  const lines: string[] = []
  const log = createLogger({ ...options, destination: { write: (line) => void lines.push(line) } })
  return { log, lines, read: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

const line = (fields: Partial<LogLine> = {}): LogLine => ({
  level: 'info',
  event: 'test',
  message: 'Hello.',
  ...fields,
})

describe('createLogger', () => {
  it('writes one JSON object a line, with time, level, event and message', () => {
    const { log, lines, read } = start()
    log(line({ level: 'warn', sessionId: 's1', tokens: 5 }))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/\n$/)
    expect(read()[0]).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      event: 'test',
      message: 'Hello.',
      sessionId: 's1',
      tokens: 5,
    })
  })

  it('leaves out what is less than its level', () => {
    const { log, lines } = start({ level: 'warn' })
    log(line())
    log(line({ level: 'debug' }))
    log(line({ level: 'error' }))
    expect(lines).toHaveLength(1)
  })

  it('keys and tokens never come through, by name or inside a sentence', () => {
    const { log, lines, read } = start()
    const key = 'sk-ant-api03-ABCDEFGHIJKLMNOPQRSTUVWX'
    log(
      line({
        message: `Called with Authorization: Bearer 1234567890abcdef and ${key}`,
        apiKey: 'abc-secret',
        token: 'abc-secret',
        headers: { authorization: 'abc-secret', cookie: 'abc-secret', accept: 'text/plain' },
        list: [{ password: 'abc-secret' }, `postgres://app:abc-secret@db.example.org/x`],
        cause: new Error(`refused ${key}`),
        inputTokens: 12,
      }),
    )
    expect(lines[0]).not.toContain('abc-secret')
    expect(lines[0]).not.toContain(key)
    expect(lines[0]).not.toContain('1234567890abcdef')
    expect(read()[0]).toMatchObject({ inputTokens: 12, headers: { accept: 'text/plain' } })
  })

  it('what contains itself ends somewhere', () => {
    const { log, lines } = start()
    const ring: Record<string, unknown> = { name: 'ring' }
    ring['self'] = ring
    log(line({ ring }))
    expect(lines).toHaveLength(1)
  })

  it('what people write and models say is not logged', () => {
    const { log, lines } = start()
    log(line({ text: 'My dog is called Biscuit.', deep: { content: 'Biscuit', input: { query: 'Biscuit' } } }))
    log(line({ event: 'flush-answer', message: 'I saved that the dog is called Biscuit.' }))
    log(line({ event: 'pin-lost', message: 'There was no room for a pin in this request: Biscuit' }))
    expect(lines.join('')).not.toContain('Biscuit')
    expect(lines).toHaveLength(3)
  })
})

it('MICRO-10 the lines of a compaction are logged: before, after, and a line for each request; no word of the talk', async () => {
  const { log, lines, read } = start()
  const app = await startApp({ model: 'offline/extractive', log })
  const sample = (await (await app.request('POST', '/api/sessions/sample')).json()) as { id: string }
  await app.say(sample.id, 'Who imports the real members?')
  for (const request of app.lines) log(request)
  const find = (event: string) => read().find((one) => one['event'] === event)
  expect(find('compaction-start')).toMatchObject({
    estimateTokens: expect.any(Number),
    thresholdTokens: expect.any(Number),
    messages: expect.any(Number),
  })
  expect(find('compaction-end')).toMatchObject({ freedTokens: expect.any(Number), summaryTokens: expect.any(Number) })
  expect(read().filter((one) => one['event'] === 'request')).toMatchObject([
    { method: 'POST', route: '/api/sessions/sample', status: 201, durationMs: expect.any(Number) },
    { method: 'POST', route: '/api/sessions/:id/messages', status: 200 },
  ])
  expect(lines.join('')).not.toMatch(/real members|Vellmar|Kittiwake/)
})
