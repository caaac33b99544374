import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startWireServer } from '@longhaul/models/testing'
import type { WireServer } from '@longhaul/models/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerHost, kindOf } from '../../../test/hosts/host-brain.ts'
import type { HostSetup } from '../../../test/hosts/host-under-test.ts'
import { installHost } from '../../../test/hosts/install-host.ts'
import { leaveOut } from '../../../test/left-out.ts'
import { startPi } from './testing/start-pi.ts'
import type { PiRecord, RunningPi } from './testing/start-pi.ts'

const PI = '@earendil-works/pi-coding-agent@0.87.1'
const ROOT = join(import.meta.dirname, '../../..')
const installed = await installHost({ name: 'pi', packages: [PI] }).catch((error: unknown) => String(error))

/** pi's types must fit what the extension reads, and what it answers must fit pi's types. */
const FITS = `
import type {
  ContextEvent, ContextEventResult, ExtensionAPI, ExtensionContext, MessageEndEvent, SessionBeforeCompactEvent,
  SessionBeforeCompactResult, SessionShutdownEvent,
} from '@earendil-works/pi-coding-agent'
import type { PiCompaction, PiCompactionAnswer, PiContext, PiExtensionApi, PiMessage } from 'PI_API'
export const context = (from: ExtensionContext): PiContext => from
export const list = (from: ContextEvent): { messages: PiMessage[] } => from
export const message = (from: MessageEndEvent): { message: PiMessage } => from
export const compaction = (from: SessionBeforeCompactEvent): PiCompaction => from
export const answer = (from: PiCompactionAnswer): SessionBeforeCompactResult => from
export const shutdown = (from: SessionShutdownEvent): { reason: string } => from
export const rest = (from: ExtensionAPI): Omit<PiExtensionApi, 'on'> => from
export const register = (pi: ExtensionAPI): void => {
  pi.on('context', (_event, _context): ContextEventResult => ({}))
  pi.on('message_end', () => undefined)
  pi.on('session_before_compact', () => undefined)
  pi.on('session_shutdown', () => undefined)
}
`

const bed = (number: number): string =>
  `Bed ${number}: ${'the soil is dry and wants some water, '.repeat(200)}row ${number} is done.`

let folder: string
let server: WireServer
let pi: RunningPi | undefined

beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'longhaul-pi-'))))
afterEach(async () => {
  await pi?.kill()
  pi = undefined
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A conversation with a model that is said to have a window of 200,000 tokens. */
async function open(refusesAbove = 200_000, more: Partial<HostSetup> = {}): Promise<RunningPi> {
  server = await startWireServer({ otherwise: answerHost, windowTokens: refusesAbove })
  pi = await startPi(installed, {
    folder,
    workspace: join(folder, 'workspace'),
    baseURL: server.baseURL,
    model: 'fake-model',
    windowTokens: 200_000,
    maxOutputTokens: 2_000,
    sessionId: 'garden',
    store: join(folder, 'sessions.db'),
    ...more,
  })
  return pi
}

function notesOf(records: readonly PiRecord[]): readonly string[] {
  return records.flatMap(({ type, method, message }) =>
    type === 'extension_ui_request' && method === 'notify' ? [String(message)] : [],
  )
}

function lastTurn(): string {
  return server.requests.findLast((request) => kindOf(request) === 'turn')?.text ?? ''
}

async function plantBeds(running: RunningPi, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    expect((await running.say(bed(number))).errors).toEqual([])
  }
}

async function readSessions(): Promise<string> {
  const names = await readdir(join(folder, 'pi-sessions'))
  return (await Promise.all(names.map((name) => readFile(join(folder, 'pi-sessions', name), 'utf8')))).join('')
}

function describeExtension(): void {
  describe('the extension in pi', { timeout: 60_000 }, () => {
    it('20 /compact stores Longhaul’s summary in pi’s file, /context tells of it, /undo-compaction takes it back', async () => {
      const running = await open()
      await plantBeds(running, 12)
      const compacted = await running.command({ type: 'compact' })
      expect(compacted.at(-1)).toMatchObject({ success: true })
      await running.say('And now?')
      expect(lastTurn().includes('row 2 is done.')).toBe(false)
      expect(lastTurn()).toContain('And now?')
      expect(await readSessions()).toMatch(/"type":"compaction".*"details":\{"by":"longhaul"\}/)

      const [report] = notesOf(await running.command({ type: 'prompt', message: '/context' }))
      expect(report).toMatch(/^Used: [\d,]+ of 200,000 tokens \(\d+%\)/)
      expect(report).toMatch(/Summarized: \d+ of \d+ messages/)
      expect(report).toContain('Compactions: 1')

      const undone = await running.command({ type: 'prompt', message: '/undo-compaction' })
      expect(notesOf(undone)).toEqual([expect.stringContaining('taken back')])
      await running.say('And after that?')
      for (let number = 1; number <= 12; number += 1) expect(lastTurn()).toMatch(`row ${number} is done.`)
      expect(lastTurn()).not.toContain('[Summary of the conversation')
      const again = await running.command({ type: 'prompt', message: '/undo-compaction' })
      expect(notesOf(again)).toEqual([expect.stringContaining('Nothing has been compacted')])
    })

    it('20 a refusal by the provider is answered with a smaller request, and pi’s user sees no error', async () => {
      const running = await open(40_000)
      await plantBeds(running, 20)
      expect(server.requests.filter(({ refused }) => refused === 'too-long').length).toBeGreaterThan(0)
      expect(await readSessions()).toContain('"by":"longhaul"')
      const [report] = notesOf(await running.command({ type: 'prompt', message: '/context' }))
      expect(report).toMatch(/of 40,000 tokens/)
    })

    it('20 a fork goes on with its own messages alone', async () => {
      const running = await open()
      await plantBeds(running, 3)
      const [{ data }] = (await running.command({ type: 'get_fork_messages' })).slice(-1) as [PiRecord]
      const { messages } = data as { readonly messages: readonly { readonly entryId: string }[] }
      await running.command({ type: 'fork', entryId: messages[1]?.entryId })
      expect((await running.say('Another second bed')).errors).toEqual([])
      expect(lastTurn()).toContain('Bed 1:')
      expect(lastTurn()).not.toContain('Bed 2:')
      expect(lastTurn()).toContain('Another second bed')
    })

    it('20 with a store that cannot be opened pi sends its own messages, and says so once', async () => {
      await writeFile(join(folder, 'broken.db'), 'this is no database, and never was one'.repeat(50))
      const running = await open(200_000, { store: join(folder, 'broken.db') })
      const records = [...(await running.prompt(bed(1))), ...(await running.prompt(bed(2)))]
      expect(notesOf(records)).toEqual([expect.stringContaining('goes out as the host made it')])
      expect(lastTurn()).toContain('Bed 1:')
      expect(lastTurn()).toContain('Bed 2:')
      const compacted = await running.command({ type: 'compact' })
      expect(compacted.some(({ type }) => type === 'extension_error')).toBe(false)
    })

    it('20 is found by pi as a package', async () => {
      const agent = join(folder, 'agent')
      await mkdir(agent, { recursive: true })
      await writeFile(join(agent, 'settings.json'), JSON.stringify({ packages: [join(ROOT, 'hosts/pi')] }))
      const running = await open(200_000, { store: null })
      const [{ data }] = (await running.command({ type: 'get_commands' })).slice(-1) as [PiRecord]
      expect(JSON.stringify(data)).toContain('undo-compaction')
      await running.say(bed(1))
      expect(await readdir(agent)).toContain('longhaul.db')
    })

    it('20 fits the typings of pi', async () => {
      server = await startWireServer()
      const file = join(installed, 'fits.ts')
      await writeFile(file, FITS.replaceAll('PI_API', join(ROOT, 'hosts/pi/src/pi-api.ts')))
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--ignoreConfig', '--skipLibCheck']
      const modern = ['--allowImportingTsExtensions', '--module', 'nodenext', '--target', 'esnext']
      const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
      const tsc = promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), [...strict, ...modern, ...types, file])
      expect(await tsc.catch(({ stdout }: { readonly stdout: string }) => ({ stdout }))).toMatchObject({ stdout: '' })
    })
  })
}

if (installed.startsWith('/')) describeExtension()
else leaveOut('the extension in pi', installed)
