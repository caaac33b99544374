import { Agent, request } from 'node:http'
import { median } from '../report/percentile.ts'
import { createTalkingClient } from './bodies.ts'

export interface FirstByteTimes {
  readonly bytes: number
  readonly directMs: number
  readonly proxyMs: number
  readonly gatewayMs: number
  /** Medians of the differences between calls that follow each other. */
  readonly addedByProxyMs: number
  readonly addedByGatewayMs: number
  /** The first call of a conversation, which is read and stored as a whole. */
  readonly firstMs: number
}

interface Urls {
  readonly direct: string
  readonly proxy: string
  readonly gateway: string
}

export interface FirstByteOptions {
  readonly urls: Urls
  readonly bytes: number
  readonly calls: number
  readonly rounds: number
}

const WARM_UPS = 12

/** Three ways take turns with the same bodies, so that what else the machine does falls on all. The quietest round counts. */
export async function measureFirstByte({ urls, bytes, calls, rounds }: FirstByteOptions): Promise<FirstByteTimes> {
  const agent = new Agent({ keepAlive: true })
  const time = (url: string, body: Buffer): Promise<number> => timeFirstByte(`${url}/v1/messages`, body, agent)
  const found: FirstByteTimes[] = []
  for (let round = -1; round < rounds; round += 1) {
    const samples: { readonly direct: number; readonly proxy: number; readonly gateway: number }[] = []
    const client = createTalkingClient({ name: `bed${bytes}-${round}`, bytes })
    const first = client.next()
    await time(urls.direct, first)
    const firstMs = await time(urls.gateway, first)
    for (let call = 0; call < (round < 0 ? WARM_UPS : calls); call += 1) {
      const body = client.next()
      const direct = await time(urls.direct, body)
      const proxy = await time(urls.proxy, body)
      samples.push({ direct, proxy, gateway: await time(urls.gateway, body) })
    }
    if (round < 0) continue
    found.push({
      bytes,
      directMs: median(samples.map(({ direct }) => direct)),
      proxyMs: median(samples.map(({ proxy }) => proxy)),
      gatewayMs: median(samples.map(({ gateway }) => gateway)),
      addedByProxyMs: median(samples.map(({ direct, proxy }) => proxy - direct)),
      addedByGatewayMs: median(samples.map(({ direct, gateway }) => gateway - direct)),
      firstMs,
    })
  }
  agent.destroy()
  const [quietest] = found.toSorted((one, other) => one.addedByGatewayMs - other.addedByGatewayMs)
  return quietest as FirstByteTimes
}

/** From the first byte of the request to the first byte of the answer's body. */
export function timeFirstByte(url: string, body: Buffer, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const begin = performance.now()
    let taken = Number.NaN
    const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-api-key': 'bench' }
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.once('data', () => (taken = performance.now() - begin))
      answer.once('end', () => resolve(taken))
      answer.resume()
    })
    sent.setNoDelay(true)
    sent.once('error', reject)
    sent.end(body)
  })
}
