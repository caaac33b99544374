import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEvents } from '@longhaul/protocol'
import type { Session, SessionEvent } from '@longhaul/protocol'
import { createScriptedModel } from '@longhaul/models/testing'
import type { Script } from '@longhaul/models/testing'
import { createRuntime, loadConfig } from '@longhaul/runtime'
import type { LogLine, Runtime, RuntimeOptions } from '@longhaul/runtime'
import { onTestFinished } from 'vitest'
import { createApp } from '../create-app.ts'
import { createServerContext } from '../create-server-context.ts'
import { addWebApp } from '../static/add-web-app.ts'
import { createMetrics } from '../telemetry/metrics/create-metrics.ts'
import type { Metrics } from '../telemetry/metrics/create-metrics.ts'

export interface RuntimeWishes extends RuntimeOptions {
  /** What the model says. Default: the same to everything. */
  readonly script?: Script
  /** The text of the configuration file. */
  readonly source?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Where everything lies; default: a folder of its own, gone after the test. */
  readonly folder?: string
  readonly windowTokens?: number
  /** Another one than the scripted model. */
  readonly model?: string
}

const MODEL = 'scripted/scripted'

/** A runtime on real SQLite with a scripted model; closed when the test ends. */
export async function openRuntime(wishes: RuntimeWishes = {}): Promise<Runtime> {
  const { script = () => 'Fine.', source = '{}', environment = {}, windowTokens = 32_000, ...options } = wishes
  const { model = MODEL } = wishes
  const folder = wishes.folder ?? (await createFolder())
  const config = await loadConfig({
    environment: { LONGHAUL_DATA: folder, PATH: process.env['PATH'], ...environment },
    homeFolder: folder,
    readFile: () => Promise.resolve(source),
  })
  const info = { contextWindow: windowTokens, maxOutput: 4_096 }
  const runtime = await createRuntime(
    { ...config, agents: { ...config.agents, defaults: { ...config.agents.defaults, model } } },
    { models: { extra: { [MODEL]: { model: createScriptedModel(script), info } } }, ...options },
  )
  onTestFinished(() => runtime.close())
  return runtime
}

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-server-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface AppWishes extends RuntimeWishes {
  readonly host?: string
  readonly webFolder?: string
  readonly metrics?: Metrics
}

export interface AppUnderTest {
  readonly runtime: Runtime
  readonly lines: readonly LogLine[]
  readonly drain: () => void
  readonly stop: () => void
  /** `body` is sent as JSON. */
  request(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** Opens a one-time address as a person does in a browser, and returns the headers that the browser sends from then on. */
  openAsPerson(): Promise<{ readonly cookie: string }>
  requestRaw(path: string, init: RequestInit): Promise<Response>
  createSession(body?: unknown): Promise<Session>
  /** Sends a message and reads its stream to the end. */
  say(sessionId: string, text: string, id?: string): Promise<readonly SessionEvent[]>
}

/** The whole app without a socket. */
export async function startApp(wishes: AppWishes = {}): Promise<AppUnderTest> {
  const runtime = await openRuntime(wishes)
  const lines: LogLine[] = []
  const { host = '127.0.0.1', webFolder, metrics = createMetrics() } = wishes
  const log = (line: LogLine): void => void lines.push(line)
  const { context, drain, stop } = createServerContext({ runtime, log, metrics, host })
  onTestFinished(stop)
  const app = createApp(context)
  addWebApp(app, webFolder ?? null)

  const request: AppUnderTest['request'] = async (method, path, body, headers = {}) =>
    app.request(path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    runtime,
    lines,
    drain,
    stop,
    request,
    openAsPerson: async () => readCookie(await app.request(context.approvalRight.createOpeningPath())),
    requestRaw: async (path, init) => app.request(path, init),
    async createSession(body = {}) {
      const response = await request('POST', '/api/sessions', body)
      return (await response.json()) as Session
    },
    async say(sessionId, text, id) {
      const response = await request('POST', `/api/sessions/${sessionId}/messages`, { text, ...(id && { id }) })
      return collectEvents(response)
    },
  }
}

/** The same for a server that listens. */
export async function openAsPerson(address: string | null): Promise<{ readonly cookie: string }> {
  return readCookie(await fetch(address ?? '', { redirect: 'manual' }))
}

function readCookie(response: Response): { readonly cookie: string } {
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
  return { cookie }
}

/** Until the server closes it. */
export async function collectEvents(response: Response): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const { event } of readEvents(response)) events.push(event)
  return events
}

export function typesOf(events: readonly SessionEvent[]): readonly string[] {
  return events.map(({ type }) => type)
}
