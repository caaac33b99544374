import type { ToolResultPart } from '@longhaul/engine/advanced'
import type { Tool, ToolOutcome } from '@longhaul/tools/port'
import { describe, expect, it } from 'vitest'
import { createTool } from '../testing/create-tool.ts'
import { messagesOf } from '../testing/start-agent.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitForEvent } from '../testing/wait-for.ts'

const start = useAgents()

/** The model calls the tool once with this input, then answers. */
function startWith(tool: Tool, options: StartOptions = {}): AgentUnderTest {
  return start({
    ownTools: [tool],
    script: ({ prompt }) =>
      prompt.at(-1)?.role === 'tool' ? 'Done.' : { toolCalls: [{ id: 'c1', name: tool.name, input: { a: 1 } }] },
    ...options,
  })
}

async function resultsOf(under: AgentUnderTest, sessionId: string): Promise<readonly ToolResultPart[]> {
  return messagesOf(await under.entries(sessionId)).flatMap(({ parts }) =>
    parts.filter((part): part is ToolResultPart => part.type === 'tool-result'),
  )
}

async function runOnce(tool: Tool, options: StartOptions = {}): Promise<ToolResultPart> {
  const under = startWith(tool, options)
  const { id } = await under.agent.createSession({ title: 'named' })
  const events = await under.say(id, 'Go')
  expect(events.map(({ type }) => type)).toContain('response-complete')
  const [result] = await resultsOf(under, id)
  if (result === undefined) throw new Error('no result was stored')
  return result
}

describe('whatever a tool does', () => {
  it('throwing is told to the model', async () => {
    const run = async (): Promise<ToolOutcome> => {
      throw new Error('no such table')
    }
    expect(await runOnce(createTool('query', { run }))).toMatchObject({ output: 'no such table', isError: true })
  })

  it('throwing before it promises anything is told as well', async () => {
    const run = (): Promise<ToolOutcome> => {
      throw new Error('not even started')
    }
    expect(await runOnce(createTool('query', { run }))).toMatchObject({ output: 'not even started', isError: true })
  })

  it.each([undefined, null, 7, { a: 1 }])('an output of %j is text in the end', async (output) => {
    const run = async () => ({ output }) as never
    const result = await runOnce(createTool('odd', { run }))
    expect(typeof result.output).toBe('string')
  })

  it('taking too long is stopped, whether it listens or not', async () => {
    let signal: AbortSignal | undefined
    const run: Tool['run'] = (_input, context) => {
      signal = context.signal
      return new Promise(() => undefined)
    }
    const result = await runOnce(createTool('slow', { run }), { toolTimeoutMs: 20 })
    expect(result).toMatchObject({ isError: true })
    expect(result.output).toContain('Stopped after 0.02 s')
    expect(signal?.aborted).toBe(true)
  })

  it('is given the time that its own arguments allow, where that is longer', async () => {
    const tool = createTool('build', {
      timeLimitMs: () => 60_000,
      run: (_input, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ output: 'cut off' }))
          setTimeout(() => resolve({ output: 'built' }), 60)
        }),
    })
    expect(await runOnce(tool, { toolTimeoutMs: 20 })).toMatchObject({ output: 'built' })
  })

  it('what is denied is not run, and the model hears why', async () => {
    let runs = 0
    const tool = createTool('remove', {
      permit: () => ({ verdict: 'deny', reason: 'outside the workspace' }),
      run: async () => ({ output: String((runs += 1)) }),
    })
    expect(await runOnce(tool)).toMatchObject({ output: 'Not allowed: outside the workspace', isError: true })
    expect(runs).toBe(0)
  })

  it('a tool that does not exist is named, with those that do', async () => {
    const under = start({
      script: ({ prompt }) =>
        prompt.at(-1)?.role === 'tool' ? 'Done.' : { toolCalls: [{ name: 'teleport', input: {} }] },
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    await under.say(id, 'Go')
    const [result] = await resultsOf(under, id)
    expect(result?.output).toContain('There is no tool called teleport. There are: save_memory')
  })

  it('images come through as they are', async () => {
    const output = [{ type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' } as const]
    expect((await runOnce(createTool('photo', { run: async () => ({ output }) }))).output).toEqual(output)
  })
})

describe('several calls of one answer', () => {
  it('run side by side; each result is stored as soon as it is there; one that fails stops no other', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const slow = createTool('slow', { run: async () => released.then(() => ({ output: 'slow is done' })) })
    const quick = createTool('quick', { run: async () => ({ output: 'quick is done' }) })
    const broken = createTool('broken', { run: () => Promise.reject(new Error('broken')) })
    const under = start({
      ownTools: [slow, quick, broken],
      script: ({ prompt }) =>
        prompt.at(-1)?.role === 'tool'
          ? 'Done.'
          : { toolCalls: ['slow', 'quick', 'broken'].map((name) => ({ id: name, name, input: {} })) },
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    await under.agent.send(id, { id: 'm1', text: 'Go' })
    await waitForEvent(under.store, id, 'tool-result')
    const early = (await resultsOf(under, id)).map(({ toolCallId }) => toolCallId)
    expect(early).not.toContain('slow')
    release()
    await waitForEvent(under.store, id, 'done')
    const results = await resultsOf(under, id)
    expect(results.map(({ toolCallId }) => toolCallId).toSorted()).toEqual(['broken', 'quick', 'slow'])
    // MICRO-05 And to the model they are one message, in the order of the calls.
    const sent = under.model.calls.at(-1)?.prompt.at(-1)
    expect(sent?.role).toBe('tool')
    expect(JSON.stringify(sent?.content)).toMatch(/slow is done.*quick is done.*broken/)
  })
})

describe('an output of a megabyte', () => {
  const huge = `${'start '.repeat(10)}${'x'.repeat(1_000_000)}${' the end'.repeat(3)}`
  const run = async (): Promise<ToolOutcome> => ({ output: huge })

  it('ONE-07 MICRO-02 is cut before it is stored, with the marker of the preset', async () => {
    const { output, artifactId } = await runOnce(createTool('dump', { run }), {
      preset: 'oneclaw',
      windowTokens: 200_000,
    })
    expect(output).toBe(
      `${huge.slice(0, 30_000)}\n\n[... content truncated, showing first 30000 characters of ${huge.length} total ...]`,
    )
    expect(artifactId).toBeUndefined()
  })

  it('ONE-08 errors are cut too', async () => {
    const tool = createTool('dump', { run: () => Promise.reject(new Error(huge)) })
    const { output, isError } = await runOnce(tool, { preset: 'oneclaw', windowTokens: 200_000 })
    expect(isError).toBe(true)
    expect(output.length).toBeLessThan(31_000)
  })

  it('LH-02 is kept whole as an artifact, which the model can page through', async () => {
    const under = start({
      ownTools: [createTool('dump', { run })],
      windowTokens: 200_000,
      script: ({ prompt }) => {
        const pages = prompt.filter(({ role }) => role === 'tool')
        const [, artifact = ''] = /id=(\S+) offset/.exec(JSON.stringify(pages)) ?? []
        if (pages.length === 0) return { toolCalls: [{ name: 'dump', input: {} }] }
        if (pages.length === 1) return read({ id: artifact, offset: 0, length: 100 })
        if (pages.length === 2) return read({ id: artifact, offset: huge.length - 8 })
        if (pages.length === 3) return read({ id: 'nonsense' })
        return 'Done.'
      },
    })
    const read = (input: Record<string, string | number>) => ({ toolCalls: [{ name: 'read_artifact', input }] })
    const { id } = await under.agent.createSession({ title: 'named' })
    const events = await under.say(id, 'Go')
    const results = await resultsOf(under, id)
    const [dumped, first, last, none] = results
    expect(dumped?.artifactId).toBeDefined()
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ truncated: true })
    expect(String(dumped?.output)).toContain(dumped?.artifactId)
    expect(String(dumped?.output)).toContain('the end')
    expect(first?.output).toBe(`${huge.slice(0, 100)}\n[… read on with offset=100; ${huge.length} characters in all]`)
    expect(last?.output).toBe(' the end')
    expect(none).toMatchObject({ isError: true })
    const whole = await under.store.artifacts.read(id, dumped?.artifactId ?? '')
    expect(whole === huge).toBe(true)
  })

  it('goes on without the artifact where it cannot be stored', async () => {
    const under = startWith(createTool('dump', { run }), { windowTokens: 200_000 })
    const put = under.store.artifacts.put.bind(under.store.artifacts)
    under.store.artifacts.put = () => Promise.reject(new Error('disk full'))
    try {
      const { id } = await under.agent.createSession({ title: 'named' })
      const events = await under.say(id, 'Go')
      expect(events.map(({ type }) => type)).toContain('response-complete')
      expect(under.lines.map(({ event }) => event)).toContain('artifact-lost')
      expect((await resultsOf(under, id))[0]?.artifactId).toBeUndefined()
    } finally {
      under.store.artifacts.put = put
    }
  })
})

describe('a turn that is stopped while a tool runs', () => {
  async function startSlow(): Promise<{ readonly under: AgentUnderTest; readonly id: string }> {
    const { promise: started, resolve } = Promise.withResolvers<void>()
    const run = (): Promise<never> => {
      resolve()
      return new Promise(() => undefined)
    }
    const under = startWith(createTool('slow', { run }))
    const { id } = await under.agent.createSession({ title: 'named' })
    await under.agent.send(id, { id: 'm1', text: 'Go' })
    await started
    return { under, id }
  }

  it('tells the model that the user cancelled, and ends', async () => {
    const { under, id } = await startSlow()
    await under.agent.cancel(id)
    await waitForEvent(under.store, id, 'done')
    expect((await resultsOf(under, id))[0]?.output).toBe(
      'Stopped: the user cancelled. What it had done by then is unknown.',
    )
    expect(messagesOf(await under.entries(id)).at(-1)).toMatchObject({ role: 'assistant', finish: 'aborted' })
  })

  it('does not blame the user for a program that was shut down', async () => {
    const { under, id } = await startSlow()
    await under.agent.close()
    expect((await resultsOf(under, id))[0]?.output).toContain('the program was shut down')
    const events = await under.store.events.read(id, 0, 100)
    expect(events.map(({ event }) => event['type'])).not.toContain('done')
  })
})
