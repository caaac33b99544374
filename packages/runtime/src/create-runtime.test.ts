import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogLine } from '@longhaul/agent'
import { startEmbeddingServer } from '@longhaul/models/testing'
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
  return (await runtime.agent.inspect(sessionId)).tools().map(({ name }) => name)
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
    const runtime = await start()
    await runtime.memory.save('The deploy port is 9090.')
    const [file = ''] = await runtime.memory.list()
    expect(await readFile(join(folder, 'workspace', file), 'utf8')).toContain('9090')
    const { id } = await runtime.agent.createSession()
    const session = await runtime.agent.inspect(id)
    const tool = session.tools().find(({ name }) => name === 'memory_search')
    const context = { sessionId: id, toolCallId: 'call', signal: new AbortController().signal }
    expect(await tool?.run({ query: 'deploy port' }, context)).toMatchObject({
      output: expect.stringContaining('9090'),
    })
  })

  it('OPEN-10 finds memory by what it means where an embedding model is configured', async () => {
    const server = await startEmbeddingServer({ synonyms: [['car', 'automobile']] })
    onTestFinished(() => server.close())
    const embedded = Promise.withResolvers<LogLine>()
    const source = JSON.stringify({
      providers: { local: { type: 'openai-compatible', baseURL: server.baseURL } },
      memory: { embeddingModel: 'local/embed' },
    })
    const runtime = await start(source, { log: (line) => line.event === 'notes-embedded' && embedded.resolve(line) })
    await runtime.memory.save('The car is parked at gate 7.\nAnn owns billing.')
    await embedded.promise
    const session = await runtime.agent.inspect((await runtime.agent.createSession()).id)
    const tool = session.tools().find(({ name }) => name === 'memory_search')
    const context = { sessionId: session.id, toolCallId: 'call', signal: new AbortController().signal }
    const outcome = await tool?.run({ query: 'automobile', limit: 1 }, context)
    expect(outcome?.output).toContain('gate 7')
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
      return (await runtime.agent.inspect(id)).context().environment.files
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
    expect([plain.model(), plain.context().environment.system]).toStrictEqual(['offline/extractive', 'You help.'])
    const poet = await runtime.agent.inspect((await runtime.agent.createSession({ agent: 'poet' })).id)
    expect([poet.model(), poet.context().environment.system]).toStrictEqual(['local/rhymer', 'You rhyme.'])
  })

  it('asks by the permissions of the configuration', async () => {
    const runtime = await start('{ tools: { permissions: { run_command: "deny", read_file: "ask" } } }')
    const session = await runtime.agent.inspect((await runtime.agent.createSession()).id)
    const permit = (name: string, input: Record<string, string>) =>
      session
        .tools()
        .find((tool) => tool.name === name)
        ?.permit(input).verdict
    expect(permit('run_command', { command: 'ls' })).toBe('deny')
    expect(permit('read_file', { path: 'a.txt' })).toBe('ask')
    expect(permit('list_files', {})).toBe('allow')
  })

  it('shows commands no key', async () => {
    const config = await loadConfig({
      environment: {
        ...process.env,
        LONGHAUL_DATA: folder,
        LONGHAUL_TOKEN: 'tok-123456',
        ANTHROPIC_API_KEY: 'sk-ant-1',
      },
      homeFolder: folder,
    })
    const runtime = await createRuntime(config)
    running.push(runtime)
    const session = await runtime.agent.inspect((await runtime.agent.createSession({ model: 'offline/extractive' })).id)
    const command = session.tools().find(({ name }) => name === 'run_command')
    const context = { sessionId: session.id, toolCallId: 'call', signal: new AbortController().signal }
    const outcome = await command?.run({ command: 'env' }, context)
    expect(outcome?.output).toContain('PATH=')
    expect(outcome?.output).not.toMatch(/sk-ant-1|tok-123456/)
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
