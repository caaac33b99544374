import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createLimitedFetch } from './limit-body.ts'

/** Answers every request with these pieces, then ends or goes on for ever. */
async function serve(contentType: string, pieces: Iterable<string>): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': contentType })
    const next = pieces[Symbol.iterator]()
    const write = (): void => {
      for (;;) {
        const { value, done } = next.next()
        if (done === true || response.destroyed) return void response.end()
        if (!response.write(value)) break
      }
      response.once('drain', write)
    }
    write()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function* endless(piece: string): Generator<string> {
  for (;;) yield piece
}

const limited = createLimitedFetch(100_000)

it('18.15 an answer that does not end is an error, not a full memory', async () => {
  const response = await limited(await serve('application/json', endless('x'.repeat(10_000))))
  await expect(response.text()).rejects.toThrow('longer than 100000 bytes')
  const stream = await limited(await serve('text/event-stream', endless(`data: ${'x'.repeat(10_000)}\n`)))
  await expect(stream.text()).rejects.toThrow('longer than 100000 bytes')
})

it('a stream may be as long as it likes, event by event', async () => {
  const events = Array.from({ length: 100 }, () => `data: ${'x'.repeat(9_000)}\r\n\r\n`)
  const response = await limited(await serve('text/event-stream', events))
  expect((await response.text()).length).toBe(events.join('').length)
  expect(await (await limited(await serve('application/json', ['{"a":', '1}']))).json()).toEqual({ a: 1 })
})
