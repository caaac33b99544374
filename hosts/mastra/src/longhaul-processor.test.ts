import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { startWireServer } from '@longhaul/models/testing'
import type { WireServer, WireServerOptions } from '@longhaul/models/testing'
import { Agent } from '@mastra/core/agent'
import { MockMemory } from '@mastra/core/memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerHost, kindOf } from '../../../test/hosts/host-brain.ts'
import { readStored } from '../../../test/hosts/read-stored.ts'
import { longhaulProcessor } from './longhaul-processor.ts'
import type { LonghaulProcessor, LonghaulProcessorOptions } from './longhaul-processor.ts'

const bed = (number: number): string =>
  `Bed ${number}: ${'the soil is dry and wants some water, '.repeat(60)}row ${number} is done.`
const around = { memory: { thread: 'garden', resource: 'tester' } }

let folder: string
let store: string
let server: WireServer
const warnings: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-mastra-'))
  store = join(folder, 'sessions.db')
  warnings.length = 0
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

interface Opened {
  readonly agent: Agent
  readonly longhaul: LonghaulProcessor
}

/** An agent whose memory keeps every message. */
async function open(wire: WireServerOptions = {}, options: LonghaulProcessorOptions = {}): Promise<Opened> {
  server = await startWireServer({ otherwise: answerHost, ...wire })
  const warn = (text: string): void => void warnings.push(text)
  const longhaul = longhaulProcessor({ store, windowTokens: 16_000, warn, ...options })
  const agent = new Agent({
    id: 'gardener',
    name: 'Gardener',
    instructions: 'You know the garden.',
    model: createOpenAICompatible({ name: 'fake', baseURL: server.baseURL, apiKey: 'none' })('fake-model'),
    memory: new MockMemory({ options: { lastMessages: 1_000 } }),
    tools: longhaul.tools,
    inputProcessors: [longhaul],
    errorProcessors: [longhaul],
    maxProcessorRetries: 2,
  })
  return { agent, longhaul }
}

function lastTurn(): string {
  return server.requests.findLast((request) => kindOf(request) === 'turn')?.text ?? ''
}

async function plantBeds({ agent }: Opened, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const { error } = await agent.generate(bed(number), around)
    expect(error).toBeUndefined()
  }
}

describe('Longhaul in a Mastra agent with memory', () => {
  it('20 the thread is the session; a compaction can be undone; the memory keeps every message', async () => {
    const opened = await open({}, { windowTokens: 100_000 })
    const { agent, longhaul } = opened
    await plantBeds(opened, 14)
    const context = longhaul.context('garden')
    await context.compact()
    await agent.generate('And now?', around)
    expect(lastTurn().includes('row 2 is done.')).toBe(false)
    expect(await context.recall('row 2')).not.toEqual([])
    await context.undo()
    await agent.generate('And after that?', around)
    for (let number = 1; number <= 14; number += 1) expect(lastTurn()).toMatch(`row ${number} is done.`)
    await context.close()
    const { said } = await readStored(store, 'mastra')
    expect(said).toHaveLength(16)
    const memory = await agent.getMemory()
    const { messages } = (await memory?.recall({ threadId: 'garden', resourceId: 'tester', perPage: false })) ?? {}
    expect(messages).toHaveLength(32)
  })

  it('20 a refusal is answered with a smaller prompt, also where nobody knew the window', async () => {
    const opened = await open({ windowTokens: 9_000 }, { windowTokens: null })
    await plantBeds(opened, 20)
    expect(server.requests.filter(({ refused }) => refused === 'too-long').length).toBeGreaterThan(0)
    expect(await opened.longhaul.context('garden').measure()).toMatchObject({ windowTokens: 9_000 })
    await opened.longhaul.context('garden').close()
    expect(warnings).toEqual([])
  })

  it('20 with a store that cannot be opened the messages go out as they are, and one warning is given', async () => {
    await writeFile(store, 'this is no database, and never was one'.repeat(50))
    const opened = await open()
    await plantBeds(opened, 3)
    for (let number = 1; number <= 3; number += 1) expect(lastTurn()).toMatch(`row ${number} is done.`)
    expect(warnings).toEqual([expect.stringContaining('goes out as the host made it')])
  })

  it('20 a conversation without a name is left alone, and nothing of it is kept', async () => {
    const { agent } = await open()
    await agent.generate(bed(1))
    await agent.generate(bed(2))
    expect(warnings).toEqual([expect.stringContaining('has no name')])
    expect(lastTurn()).toMatch('row 2 is done.')
  })
})
