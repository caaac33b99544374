import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTalkingClient } from './bodies.ts'
import { timeFirstByte } from './measure-first-byte.ts'
import type { BenchProcess } from './start-process.ts'

export interface MemoryUse {
  readonly conversations: number
  /** The most that was in use while the first half of the conversations came, and while the second half did. */
  readonly firstBytes: number
  readonly secondBytes: number
}

const BODY_BYTES = 4_000_000
const REPORT_MS = 300

/** Long conversations one after the other, two calls each. Nobody ends one, so a gateway has to let go of them by itself. */
export async function measureMemory(gateway: BenchProcess, conversations: number): Promise<MemoryUse> {
  const agent = new Agent({ keepAlive: true })
  const most: number[] = []
  for (const half of [0, 1]) {
    const from = gateway.memoryBytes.length
    for (let index = 0; index < conversations / 2; index += 1) {
      const client = createTalkingClient({ name: `long${half}-${index}`, bytes: BODY_BYTES })
      for (let call = 0; call < 2; call += 1) await timeFirstByte(`${gateway.url}/v1/messages`, client.next(), agent)
    }
    await sleep(REPORT_MS)
    most.push(Math.max(...gateway.memoryBytes.slice(from)))
  }
  agent.destroy()
  return { conversations, firstBytes: most[0] ?? 0, secondBytes: most[1] ?? 0 }
}
