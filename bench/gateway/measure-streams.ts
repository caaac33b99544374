import { text as readText } from 'node:stream/consumers'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createTalkingClient } from './bodies.ts'
import { LONG_STREAM } from './stream-events.ts'

const BODY_BYTES = 100_000

/** Opens so many streams at once, each in a conversation of its own. Resolves with what was wrong with any of them. */
export async function measureStreams(url: string, streams: number): Promise<readonly string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const bodies = Array.from({ length: streams }, (_each, index) =>
    createTalkingClient({ name: `stream${index}`, bytes: BODY_BYTES }).next(),
  )
  const problems = await Promise.all(bodies.map((body) => readStream(`${url}/v1/messages?long`, body, agent)))
  agent.destroy()
  return problems.flatMap((problem) => problem ?? [])
}

async function readStream(url: string, body: Buffer, agent: Agent): Promise<string | null> {
  try {
    const answer = await open(url, body, agent)
    const said = await readText(answer)
    if (answer.statusCode !== 200) return `status ${answer.statusCode}`
    return said === LONG_STREAM ? null : `${said.length} of ${LONG_STREAM.length} characters, or others`
  } catch (error) {
    return String(error)
  }
}

function open(url: string, body: Buffer, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-api-key': 'bench' }
    const sent = request(url, { method: 'POST', agent, headers }, resolve)
    sent.once('error', reject)
    sent.end(body)
  })
}
