import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentEvent, LogLine } from '@longhaul/agent'
import { createScriptedModel, startEmbeddingServer } from '@longhaul/models/testing'
import { followEvents } from '@longhaul/store'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from './config/load-config.ts'
import { createRuntime } from './create-runtime.ts'
import type { Runtime, RuntimeOptions } from './create-runtime.ts'
import { answerOf, say, startRuntime } from './testing/start-runtime.ts'

let folder = ''
const running: Runtime[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((runtime) => runtime.close()))
  await rm(folder, { recursive: true, force: true })
})

async function start(source = '{}', options: RuntimeOptions = {}): Promise<Runtime> {
  const runtime = await startRuntime({ folder, source, ...options })
  running.push(runtime)
  return runtime
}

async function stop(runtime: Runtime): Promise<void> {
  running.splice(running.indexOf(runtime), 1)
  await runtime.close()
}

async function toolNames(runtime: Runtime, sessionId: string): Promise<readonly string[]> {
  return (await runtime.agent.inspect(sessionId)).context.environment.tools.map(({ name }) => name)
}

interface Call {
  readonly name: string
  readonly input: Readonly<Record<string, string | number>>
}

/** A model that makes one call, then is content. */
function callsOnce({ name, input }: Call): NonNullable<RuntimeOptions['models']> {
  const model = createScriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? 'Done.' : { toolCalls: [{ name, input }] },
  )
  return { extra: { 'scripted/caller': { model, info: { contextWindow: 64_000, maxOutput: 4_096 } } } }
}

/** The turn in which the model makes the call. */
async function call(runtime: Runtime): Promise<readonly AgentEvent[]> {
  const { id } = await runtime.agent.createSession({ title: 'named', model: 'scripted/caller' })
  return say(runtime, id, 'Go on.')
}

function outputOf(events: readonly AgentEvent[]): string {
  return events.flatMap((event) => (event.type === 'tool-result' ? [event.output] : [])).join('')
}

describe('createRuntime', () => {
  it('holds a conversation without any key, and goes on with it after a restart', async () => {
    const first = await start()
    const { id } = await first.agent.createSession()
    const told = await say(first, id, 'Please remember that the deploy port is 9090.')
    expect(told.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['message-stored', 'response-complete', 'done']),
    )
    expect(answerOf(await say(first, id, 'Which port is the deploy port?'))).toContain('9090')
    await stop(first)

    const second = await start()
    expect((await second.store.sessions.get(id))?.head.model).toBe('offline/extractive')
    expect(answerOf(await say(second, id, 'What was the deploy port again?'))).toContain('9090')
  })

  it('OPEN-09 OPEN-10 saves memory as files, and another session finds it', async () => {
    const runtime = await start('{}', {
      models: callsOnce({ name: 'memory_search', input: { query: 'deploy port' } }),
    })
    await runtime.memory.save('The deploy port is 9090.')
    const [file = ''] = await runtime.memory.list()
    expect(await readFile(join(folder, 'workspace', file), 'utf8')).toContain('9090')
    expect(outputOf(await call(runtime))).toContain('9090')
  })

  it('OPEN-10 finds memory by what it means where an embedding model is configured', async () => {
    const server = await startEmbeddingServer({ synonyms: [['car', 'automobile']] })
    onTestFinished(() => server.close())
    const embedded = Promise.withResolvers<LogLine>()
    const source = JSON.stringify({
      providers: { local: { type: 'openai-compatible', baseURL: server.baseURL } },
      memory: { embeddingModel: 'local/embed' },
    })
    const runtime = await start(source, {
      models: callsOnce({ name: 'memory_search', input: { query: 'automobile', limit: 1 } }),
      log: (line) => line.event === 'notes-embedded' && embedded.resolve(line),
    })
    await runtime.memory.save('The car is parked at gate 7.\nAnn owns billing.')
    await embedded.promise
    expect(outputOf(await call(runtime))).toContain('gate 7')
    expect(server.requests.map(({ body }) => body['model'])).toStrictEqual(['embed', 'embed'])
  })

  it('offers files, commands, memory and recall, and less of them with less access', async () => {
    const runtime = await start(
      '{ agents: { list: { reader: { workspaceAccess: "ro" }, outsider: { workspaceAccess: "none" } } } }',
    )
    const full = await runtime.agent.createSession()
    const always = ['http_get', 'recall', 'read_artifact']
    const reading = ['read_file', 'list_files', 'search_files', 'memory_search', 'memory_get']
    const writing = ['write_file', 'run_command', 'save_memory']
    expect((await toolNames(runtime, full.id)).toSorted()).toStrictEqual([...always, ...reading, ...writing].toSorted())
    const reader = await runtime.agent.createSession({ agent: 'reader' })
    expect((await toolNames(runtime, reader.id)).toSorted()).toStrictEqual([...always, ...reading].toSorted())
    const outsider = await runtime.agent.createSession({ agent: 'outsider' })
    expect((await toolNames(runtime, outsider.id)).toSorted()).toStrictEqual(always.toSorted())
  })

  it('OPEN-05 gives sessions the files of the workspace, and none without access to it', async () => {
    await mkdir(join(folder, 'workspace'))
    await writeFile(join(folder, 'workspace', 'MEMORY.md'), '- The gate code is 4711.\n')
    await writeFile(join(folder, 'workspace', 'AGENTS.md'), 'Answer in short sentences.')
    await writeFile(join(folder, 'workspace', 'USER.md'), '  \n')
    const runtime = await start('{ agents: { list: { outsider: { workspaceAccess: "none" } } } }')
    const filesOf = async (agent?: string) => {
      const { id } = await runtime.agent.createSession(agent === undefined ? {} : { agent })
      return (await runtime.agent.inspect(id)).context.environment.files
    }
    expect(await filesOf()).toStrictEqual([
      { name: 'AGENTS.md', text: 'Answer in short sentences.' },
      { name: 'MEMORY.md', text: '- The gate code is 4711.' },
    ])
    expect(await filesOf('outsider')).toStrictEqual([])
  })

  it('gives each agent its model and its prompt', async () => {
    const runtime = await start(`{
      systemPrompt: "You help.",
      providers: { local: { type: "openai-compatible", baseURL: "http://127.0.0.1:9/v1", models: { rhymer: {} } } },
      agents: { list: { poet: { systemPrompt: "You rhyme.", model: "local/rhymer" } } },
    }`)
    const plain = await runtime.agent.inspect((await runtime.agent.createSession()).id)
    expect([plain.model, plain.context.environment.system]).toStrictEqual(['offline/extractive', 'You help.'])
    const poet = await runtime.agent.inspect((await runtime.agent.createSession({ agent: 'poet' })).id)
    expect([poet.model, poet.context.environment.system]).toStrictEqual(['local/rhymer', 'You rhyme.'])
  })

  it('ONE-22 an agent without a system prompt is told to continue by the summary, and nothing else', async () => {
    const systems: (string | null)[] = []
    const model = createScriptedModel(({ prompt, tools = [] }) => {
      const [first] = prompt
      if (tools.length > 0) systems.push(first?.role === 'system' ? first.content : null)
      return tools.length > 0
        ? `Noted. ${'The beds are dry. '.repeat(100)}`
        : 'They spoke of dry beds and a green gate.'
    })
    const runtime = await start('{ preset: "oneclaw", systemPrompt: null }', {
      models: { extra: { 'scripted/plain': { model, info: { contextWindow: 64_000, maxOutput: 4_096 } } } },
    })
    const { id } = await runtime.agent.createSession({
      title: 'Beds',
      model: 'scripted/plain',
      policy: { compaction: { keepMessages: 2 } },
    })
    for (const bed of ['first', 'second', 'third']) await say(runtime, id, `Look at the ${bed} bed.`)
    expect(systems).toStrictEqual([null, null, null])
    expect(await runtime.agent.request(id, 'compact', {})).toMatchObject({ ok: true })
    await say(runtime, id, 'Go on.')
    expect(systems.at(-1)).toBe(
      'Previous conversation summary:\nThey spoke of dry beds and a green gate.\n\n---\n\nContinue the conversation based on the summary above.',
    )
  })

  it('ONE-22 an agent may have none where the others have one, and the other way round', async () => {
    const system = async (source: string, agent: string): Promise<string | null> => {
      const runtime = await start(source)
      const { id } = await runtime.agent.createSession({ agent })
      const found = (await runtime.agent.inspect(id)).context.environment.system
      await stop(runtime)
      return found
    }
    expect(
      await system('{ systemPrompt: "You help.", agents: { list: { a: { systemPrompt: null } } } }', 'a'),
    ).toBeNull()
    expect(await system('{ systemPrompt: null, agents: { list: { a: { systemPrompt: "You rhyme." } } } }', 'a')).toBe(
      'You rhyme.',
    )
    expect(await system('{ systemPrompt: null, agents: { list: { a: {} } } }', 'a')).toBeNull()
    expect(await system('{ agents: { list: { a: {} } } }', 'a')).toContain('recall')
  })

  it('LH-06 where no artifacts are stored, nothing offers or promises to read them', async () => {
    const runtime = await start()
    const surroundings = async (preset: string) => {
      const { id } = await runtime.agent.createSession({ preset })
      const { system, tools } = (await runtime.agent.inspect(id)).context.environment
      return [system?.includes('read_artifact'), tools.some(({ name }) => name === 'read_artifact')]
    }
    expect(await surroundings('longhaul')).toStrictEqual([true, true])
    for (const preset of ['oneclaw', 'openclaw', 'micro', 'spec008'])
      expect(await surroundings(preset)).toStrictEqual([false, false])
  })

  it.each([
    ['deny', { name: 'run_command', input: { command: 'ls' } }],
    ['ask', { name: 'read_file', input: { path: 'a.txt' } }],
    ['allow', { name: 'list_files', input: {} }],
  ] as const)('asks by the permissions of the configuration: %s', async (verdict, one) => {
    const runtime = await start('{ tools: { permissions: { run_command: "deny", read_file: "ask" } } }', {
      models: callsOnce(one),
    })
    const { id } = await runtime.agent.createSession({ title: 'named', model: 'scripted/caller' })
    const { afterEvent } = await runtime.agent.send(id, { text: 'Go on.' })
    const { signal } = new AbortController()
    for await (const { event } of followEvents(runtime.store, id, { after: afterEvent, signal })) {
      if (event['type'] !== 'approval-needed' && event['type'] !== 'tool-result') continue
      const found = event['type'] === 'approval-needed' ? 'ask' : event['isError'] === true ? 'deny' : 'allow'
      expect(found).toBe(verdict)
      break
    }
  })

  it('shows commands no key', async () => {
    const environment = {
      ...process.env,
      LONGHAUL_DATA: folder,
      LONGHAUL_TOKEN: 'tok-123456',
      ANTHROPIC_API_KEY: 'sk-ant-1',
    }
    const source = '{ tools: { permissions: { run_command: "allow" } } }'
    const config = await loadConfig({ environment, homeFolder: folder, readFile: () => Promise.resolve(source) })
    const runtime = await createRuntime(config, {
      models: callsOnce({ name: 'run_command', input: { command: 'env' } }),
    })
    running.push(runtime)
    const output = outputOf(await call(runtime))
    expect(output).toContain('PATH=')
    expect(output).not.toMatch(/sk-ant-1|tok-123456/)
  })

  it('goes on without an MCP server that does not start, and says so', async () => {
    const lines: LogLine[] = []
    const runtime = await start('{ mcp: { gone: { command: "/no/such/program" } } }', {
      log: (line) => void lines.push(line),
    })
    const { id } = await runtime.agent.createSession()
    expect(await toolNames(runtime, id)).toContain('recall')
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', event: 'mcp-failed', server: 'gone' }))
  })

  it('warns of old names, of models nobody can call and of strategies nobody has', async () => {
    const lines: LogLine[] = []
    await start('{ CompactionStrategy: "sumarize", model: "local/m", memory: { embeddingModel: "openai/small" } }', {
      log: (line) => void lines.push(line),
    })
    expect(lines.map(({ message }) => message)).toStrictEqual([
      'CompactionStrategy (line 1) is called agents.defaults.compaction.strategy now.',
      'model (line 1) is called agents.defaults.model now.',
      'openai/small cannot be used yet: its provider has no key, or is not configured.',
      'local/m cannot be used yet: its provider has no key, or is not configured.',
      'No strategy is called "sumarize"; known are none, summarize, longhaul, extractive.',
    ])
  })

  it('refuses a session of an agent or a preset nobody knows', async () => {
    const { agent } = await start()
    await expect(agent.createSession({ agent: 'nobody' })).rejects.toMatchObject({ code: 'invalid-request' })
    await expect(agent.createSession({ preset: 'mirco' })).rejects.toThrow('did you mean micro?')
  })

  it('reads its configuration from the disk', async () => {
    await writeFile(join(folder, 'config.json5'), '{ preset: "micro", limits: { sessionUsd: 2 } } // small')
    const config = await loadConfig({ environment: { LONGHAUL_DATA: folder }, homeFolder: folder })
    expect(config).toMatchObject({ hasFile: true, preset: 'micro', limits: { sessionUsd: 2 } })
  })

  it('closes once, however often it is asked', async () => {
    const runtime = await start()
    await Promise.all([runtime.close(), runtime.close()])
    await expect(runtime.store.sessions.list({})).rejects.toMatchObject({ code: 'closed' })
  })
})
