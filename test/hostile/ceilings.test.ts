import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PRESETS } from '@longhaul/engine/advanced'
import type { JsonObject } from '@longhaul/engine/advanced'
import { ApiError, createClient } from '@longhaul/protocol'
import type { Client } from '@longhaul/protocol'
import type { Runtime } from '@longhaul/runtime'
import { startServer } from '@longhaul/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolder, openRuntime } from '../../packages/server/src/testing/start-app.ts'

interface Ceiling {
  readonly key: string
  /** The owner's value, as the configuration file has it. */
  readonly owner: JsonObject
  /** What a client asks for. */
  readonly wider: JsonObject
  /** A wish that the owner's value covers. */
  readonly narrower: JsonObject
}

const CEILINGS: readonly Ceiling[] = [
  {
    key: 'workspaceAccess',
    owner: { workspaceAccess: 'ro' },
    wider: { workspaceAccess: 'rw' },
    narrower: { workspaceAccess: 'none' },
  },
  {
    key: 'workspaceAccess',
    owner: { workspaceAccess: 'none' },
    wider: { workspaceAccess: 'ro' },
    narrower: { workspaceAccess: 'none' },
  },
  {
    key: 'contextTokens',
    owner: { contextTokens: 20_000 },
    wider: { contextTokens: 'off' },
    narrower: { contextTokens: 18_000 },
  },
  {
    key: 'heartbeat.every',
    owner: { heartbeat: { every: 'off' } },
    wider: { heartbeat: { every: '1m' } },
    narrower: { heartbeat: { every: null } },
  },
  {
    key: 'toolDefinitions.maxRatio',
    owner: { toolDefinitions: { maxRatio: 0.1 } },
    wider: { toolDefinitions: { maxRatio: 1 } },
    narrower: { toolDefinitions: { maxRatio: 0.05 } },
  },
  {
    key: 'toolResults.artifacts',
    owner: { toolResults: { artifacts: false } },
    wider: { toolResults: { artifacts: true } },
    narrower: { toolResults: { artifacts: false } },
  },
  {
    key: 'compaction.retries',
    owner: { compaction: { retries: 1 } },
    wider: { compaction: { retries: 1_000 } },
    narrower: { compaction: { retries: 0 } },
  },
  {
    key: 'compaction.maxOutputTokens',
    owner: { compaction: { maxOutputTokens: 500 } },
    wider: { compaction: { maxOutputTokens: 4_000 } },
    narrower: { compaction: { maxOutputTokens: 400 } },
  },
  {
    key: 'compaction.memoryFlush.enabled',
    owner: { compaction: { memoryFlush: { enabled: false } } },
    wider: { compaction: { memoryFlush: { enabled: true } } },
    narrower: { compaction: { memoryFlush: { enabled: false } } },
  },
]

describe.each(CEILINGS)('18.8 $key where the owner has set $owner', ({ key, owner, wider, narrower }) => {
  const source = JSON.stringify({ agents: { defaults: owner } })

  it('18.8 is a ceiling for creation, PATCH, /api/chat, slash commands, import and forks', async () => {
    const { runtime, client, url } = await serve({ source })
    const inForce = async (id: string) => valueAt((await runtime.agent.inspect(id)).context.policy, key)
    const { id } = await client.createSession({ policy: narrower })
    const before = await inForce(id)

    await expectRefused(client.createSession({ policy: wider }), key)
    await expectRefused(client.changeSession(id, { policy: wider, title: 'Not this either' }), key)
    expect(await inForce(id)).toStrictEqual(before)
    expect((await client.getSession(id)).title).toBeNull()

    const { id: plain } = await client.createSession()
    const allowed = await inForce(plain)
    for (const preset of Object.keys(PRESETS)) {
      await client.runCommand(plain, `/preset ${preset}`)
      expect(await inForce(plain)).toStrictEqual(allowed)
    }

    await chat(url, 'chatted', wider)
    expect(await inForce('chatted')).toStrictEqual(allowed)

    const { session } = await client.importSession(transcriptWith(wider))
    expect(await inForce(session.id)).toStrictEqual(allowed)
    expect(valueAt(session.policy, key)).toStrictEqual(allowed)
    expect((await client.getStatus(session.id)).warnings.join(' ')).toContain(key)
    // Words that were stored before do not stand in the way of anything else.
    expect((await client.changeSession(session.id, { title: 'Renamed' })).title).toBe('Renamed')
    const anew = await client.runCommand(session.id, '/new')
    if (anew.command !== 'new') throw new Error('/new starts a session')
    expect(await inForce(anew.session.id)).toStrictEqual(allowed)
  })

  it('18.8 is a ceiling for a session that was made before', async () => {
    const folder = await createFolder()
    const first = await openRuntime({ folder })
    const { id } = await first.agent.createSession({ policy: wider })
    await first.close()
    const { runtime, client } = await serve({ folder, source })
    const allowed = valueAt((await runtime.agent.inspect((await client.createSession()).id)).context.policy, key)
    expect(valueAt((await runtime.agent.inspect(id)).context.policy, key)).toStrictEqual(allowed)
    expect((await client.getSession(id)).warnings.join(' ')).toContain(key)
  })
})

describe('18.8 what the model can do', () => {
  const attempts = [
    { name: 'write_file', input: { path: 'planted.txt', content: 'planted' } },
    { name: 'run_command', input: { command: 'touch planted-by-command.txt' } },
    { name: 'save_memory', input: { text: 'planted' } },
  ]
  const script = (_: unknown, index: number) => (index === 0 ? { toolCalls: attempts } : 'Done.')

  it.each(['ro', 'none'] as const)('18.8 with %s nothing is written, whatever was asked for', async (access) => {
    const folder = await createFolder()
    const source = JSON.stringify({ workspaceAccess: access, tools: { permissions: { '*': 'allow' } } })
    const { client } = await serve({ folder, source, script })
    const { session } = await client.importSession(transcriptWith({ workspaceAccess: 'rw' }))
    await runTurn(client, session.id)
    const { items } = await client.listMessages(session.id)
    const results = items.filter(({ role }) => role === 'tool').flatMap(({ parts }) => parts)
    expect(results).toHaveLength(attempts.length)
    for (const result of results) expect(result).toMatchObject({ isError: true })
    for (const name of ['planted.txt', 'planted-by-command.txt', 'MEMORY.md'])
      expect(existsSync(join(folder, 'workspace', name))).toBe(false)
  })

  it('18.8 an agent that the owner lets write can, and one that the owner does not cannot', async () => {
    const source = `{ workspaceAccess: "ro", agents: { list: { writer: { workspaceAccess: "rw" }, none: {} } } }`
    const { client } = await serve({ source })
    const writer = await client.createSession({ agent: 'writer', policy: { workspaceAccess: 'rw' } })
    expect(writer.policy).toStrictEqual({ workspaceAccess: 'rw' })
    await expectRefused(client.createSession({ agent: 'none', policy: { workspaceAccess: 'rw' } }), 'workspaceAccess')
  })

  it('18.8 permissions, private addresses and money are no words of a session', async () => {
    const folder = await createFolder()
    const source = `{ tools: { permissions: { write_file: "deny", run_command: "deny", save_memory: "deny" } }, limits: { sessionUsd: 1 } }`
    const { client } = await serve({ folder, source, script })
    const wishes: JsonObject[] = [
      { tools: { permissions: { write_file: 'allow' } } },
      { permissions: { write_file: 'allow' } },
      { allowPrivateAddresses: true },
      { limits: { sessionUsd: 1_000 } },
    ]
    const { id } = await client.createSession()
    for (const policy of wishes) {
      await expect(client.createSession({ policy })).rejects.toMatchObject({ code: 'invalid-request' })
      await expect(client.changeSession(id, { policy })).rejects.toMatchObject({ code: 'invalid-request' })
    }
    const { session } = await client.importSession(transcriptWith(Object.assign({}, ...wishes) as JsonObject))
    await runTurn(client, session.id)
    expect(existsSync(join(folder, 'workspace', 'planted.txt'))).toBe(false)
  })
})

async function serve(
  wishes: Parameters<typeof openRuntime>[0],
): Promise<{ readonly runtime: Runtime; readonly client: Client; readonly url: string }> {
  const runtime = await openRuntime(wishes)
  const server = await startServer({ runtime, port: 0, graceMs: 0 })
  onTestFinished(() => server.close())
  const url = server.url.replace(/\/$/, '')
  return { runtime, client: createClient({ baseUrl: url }), url }
}

async function expectRefused(wish: Promise<unknown>, key: string): Promise<void> {
  const error = await wish.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: 'forbidden' })
  expect((error as ApiError).message).toContain(key)
}

async function chat(url: string, id: string, policy: JsonObject): Promise<void> {
  const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, messages, policy, settings: { policy } }),
  })
  expect(response.status).toBe(200)
  await response.text()
}

function transcriptWith(policy: JsonObject): string {
  return [
    { type: 'session', version: 1, id: 'imported', createdAt: 1 },
    { type: 'settings', seq: 1, id: 'e1', at: 1, title: 'Imported', policy },
    { type: 'message', seq: 2, id: 'e2', at: 2, role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
    { type: 'message', seq: 3, id: 'e3', at: 3, role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n')
}

async function runTurn(client: Client, id: string): Promise<void> {
  await client.sendMessage(id, { text: 'Write it.', id: 'm-write' })
  const leaving = new AbortController()
  for await (const { event } of client.follow(id, { after: '0', signal: leaving.signal }))
    if (event.type === 'done') break
  leaving.abort()
}

function valueAt(value: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value)
}
