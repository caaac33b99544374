import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findSessions, readSession, runAudit } from '@longhaul/audit'
import type { AgentName, AgentSession } from '@longhaul/audit'
import { startWireServer } from '@longhaul/models/testing'
import type { WireAnswer, WireRequest } from '@longhaul/models/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OPENCLAW } from '../../hosts/openclaw/src/testing/openclaw-version.ts'
import { startOpenClaw } from '../../hosts/openclaw/src/testing/start-openclaw.ts'
import { installOpencode, startOpencode } from '../../hosts/opencode/src/testing/start-opencode.ts'
import { startPi } from '../../hosts/pi/src/testing/start-pi.ts'
import { installClaudeCode, startClaudeCode } from '../clients/start-claude-code.ts'
import { installCodex, startCodex } from '../clients/start-codex.ts'
import { describeWithHost } from '../hosts/describe-with-host.ts'
import { answerHost } from '../hosts/host-brain.ts'
import { installHost } from '../hosts/install-host.ts'
import { answerGemini, askGemini, installGemini } from './run-gemini.ts'

const PI = '@earendil-works/pi-coding-agent@0.87.1'
const FILE = `The tenant code is tnt-4471-blue. The port is 8443.\n${'The plan has many words. '.repeat(40)}`
const READ = 'Read notes/tenant.md'
const TELL = 'The lantern is called Brightwick. What is the lantern called?'
const TIMEOUT_MS = 300_000
const MODEL = 'fake-model'

interface Place {
  readonly folder: string
  readonly home: string
  readonly workspace: string
  /** Ends with `/v1`. */
  readonly baseURL: string
}

interface Talk {
  readonly env: Readonly<Record<string, string>>
}

async function preparePlace(answer: (request: WireRequest) => WireAnswer): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-agent-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const workspace = join(folder, 'workspace')
  await mkdir(join(workspace, 'notes'), { recursive: true })
  await writeFile(join(workspace, 'notes/tenant.md'), FILE)
  const server = await startWireServer({ otherwise: answer, charsPerToken: 4 })
  onTestFinished(() => server.close())
  return { folder, home: join(folder, 'home'), workspace, baseURL: server.baseURL }
}

/** Holds the same conversation in a real agent, and looks for it afterwards where that agent keeps its sessions. */
async function holdTalk(
  agent: AgentName,
  talk: (place: Place) => Promise<Talk>,
  answer: (request: WireRequest) => WireAnswer = answerHost,
): Promise<{ readonly session: AgentSession; readonly place: Place; readonly env: Talk['env'] }> {
  const place = await preparePlace(answer)
  const { env } = await talk(place)
  const { sessions: found, problems } = await findSessions({ home: place.home, env, paths: [] })
  expect(problems).toEqual([])
  expect(found.map((each) => each.agent)).toEqual([agent])
  const [first] = found
  if (first === undefined) throw new Error('no session')
  const read = await readSession(first)
  expect(read.problems).toEqual([])
  expect(read.sessions).toHaveLength(1)
  const [session] = read.sessions
  if (session === undefined) throw new Error('no session')
  return { session, place, env }
}

function spokenIn({ imported }: AgentSession, role: string): readonly string[] {
  return imported.entries.flatMap((entry) =>
    entry.type === 'message' && entry.role === role
      ? [entry.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')]
      : [],
  )
}

/** The conversation stands there as it was held, with a compaction between what was told and the second reading. */
function expectTalk(session: AgentSession, lines: readonly string[] = [READ, TELL, READ]): void {
  const { entries } = session.imported
  expect(spokenIn(session, 'user').filter((text) => lines.includes(text))).toEqual(lines)
  const parts = entries.flatMap((entry) => (entry.type === 'message' ? entry.parts : []))
  const calls = parts.filter((part) => part.type === 'tool-call')
  const results = parts.filter((part) => part.type === 'tool-result')
  expect(calls).toHaveLength(lines.filter((line) => line === READ).length)
  expect(calls.every(({ input }) => JSON.stringify(input).includes('notes/tenant.md'))).toBe(true)
  expect(results.map(({ toolCallId }) => toolCallId)).toEqual(calls.map(({ toolCallId }) => toolCallId))
  expect(results.every(({ output }) => JSON.stringify(output).includes('tnt-4471-blue'))).toBe(true)
  const answers = entries.filter((entry) => entry.type === 'message').filter(({ role }) => role === 'assistant')
  expect(answers.every(({ usage, model }) => (usage?.input ?? 0) > 0 && model !== undefined)).toBe(true)
  const compactions = entries.filter((entry) => entry.type === 'compaction')
  expect(compactions.length).toBeGreaterThanOrEqual(1)
  for (const { id, document } of compactions) {
    expect(document.sections[0]?.items[0]?.text).not.toBe('')
    expect(session.recorded.has(id)).toBe(true)
  }
  expect(entries.every(({ at }) => at > Date.UTC(2020, 0))).toBe(true)
}

async function expectAudit(place: Place, env: Talk['env'], agent: AgentName): Promise<void> {
  const report = await runAudit({ home: place.home, env, paths: [], signal: new AbortController().signal })
  expect(report.problems).toEqual([])
  expect(report.sessions).toMatchObject([{ agent, withLonghaul: expect.anything() }])
  expect(report.sessions[0]?.compactions.every(({ tokensBefore }) => (tokensBefore ?? 0) > 0)).toBe(true)
}

function hostSetup({ folder, workspace, baseURL }: Place): Parameters<typeof startPi>[1] {
  const limits = { windowTokens: 64_000, maxOutputTokens: 4_000 }
  return { folder, workspace, baseURL, model: MODEL, ...limits, sessionId: 'talk', store: null }
}

function clientSetup({ folder, workspace, baseURL }: Place, model: string): Parameters<typeof startCodex>[1] {
  return { folder, workspace, upstream: baseURL.replace(/\/v1$/, ''), model, longhaul: false }
}

describe('sessions of real agents are found and read', { timeout: TIMEOUT_MS }, () => {
  describeWithHost('Claude Code', installClaudeCode, (bin) => {
    it('22 a session with a compaction, with the files that it read again by itself', async () => {
      const { session, place, env } = await holdTalk('claude-code', async (at) => {
        const client = await startClaudeCode(bin, clientSetup(at, 'claude-haiku-4-5'))
        for (const text of [READ, TELL]) await client.say(text)
        await client.compact()
        await client.say(READ)
        await client.stop()
        return { env: {} }
      })
      expectTalk(session)
      expect([...session.recorded.values()]).toMatchObject([{ trigger: 'manual', tokensAfter: expect.any(Number) }])
      const compaction = session.imported.entries.find((entry) => entry.type === 'compaction')
      expect(JSON.stringify(compaction?.document.sections.slice(1))).toContain('tnt-4471-blue')
      await expectAudit(place, env, 'claude-code')
    })
  })

  describeWithHost('Codex', installCodex, (bin) => {
    it('22 a session with a compaction, with the messages that it kept', async () => {
      const { session, place, env } = await holdTalk('codex', async (at) => {
        const client = await startCodex(bin, clientSetup(at, 'gpt-6.1-sol'))
        for (const text of [READ, TELL]) await client.say(text)
        await client.compact()
        await client.say(READ)
        await client.stop()
        return { env: {} }
      })
      expectTalk(session)
      expect(session.windowTokens).toBe(190_000)
      const compaction = session.imported.entries.find((entry) => entry.type === 'compaction')
      expect(compaction).toMatchObject({ carried: [{ seq: 1 }, {}], usage: { input: expect.any(Number) } })
      expect(spokenIn(session, 'assistant').filter((text) => text.includes('<summary>'))).toEqual([])
      await expectAudit(place, env, 'codex')
    })
  })

  describeWithHost(
    'pi',
    () => installHost({ name: 'pi', packages: [PI] }),
    (installed) => {
      it('22 a session with a compaction', async () => {
        const { session, place, env } = await holdTalk('pi', async (at) => {
          const agent = join(at.folder, 'agent')
          await mkdir(agent, { recursive: true })
          const compaction = { enabled: true, keepRecentTokens: 50 }
          await writeFile(join(agent, 'settings.json'), JSON.stringify({ compaction }))
          const pi = await startPi(installed, hostSetup(at))
          for (const text of [READ, TELL]) await pi.say(text)
          await pi.command({ type: 'compact' })
          await pi.say(READ)
          await pi.stop()
          return { env: { PI_CODING_AGENT_DIR: agent, PI_CODING_AGENT_SESSION_DIR: join(at.folder, 'pi-sessions') } }
        })
        expectTalk(session)
        await expectAudit(place, env, 'pi')
      })
    },
  )

  describeWithHost('opencode', installOpencode, (program) => {
    it('22 a session with a compaction, from its database', async () => {
      const { session, place, env } = await holdTalk('opencode', async (at) => {
        const host = await startOpencode(program, hostSetup(at))
        for (const text of [READ, TELL]) await host.say(text)
        await host.call('POST', `/session/${host.sessionId}/summarize`, { providerID: 'fake', modelID: MODEL })
        await host.say(READ)
        await host.stop()
        return { env: { XDG_DATA_HOME: join(at.home, 'data') } }
      })
      expectTalk(session)
      expect([...session.recorded.values()]).toMatchObject([{ trigger: 'manual' }])
      await expectAudit(place, env, 'opencode')
    })
  })

  describeWithHost(
    'OpenClaw',
    () => installHost({ name: 'openclaw', packages: [OPENCLAW] }),
    (installed) => {
      it('22 a session with a compaction, from its database', async () => {
        const { session, place, env } = await holdTalk('openclaw', async (at) => {
          const host = await startOpenClaw(installed, hostSetup(at))
          for (const text of [READ, TELL]) await host.say(text)
          await host.run('sessions', 'compact', host.sessionKey)
          await host.say(READ)
          await host.stop()
          return { env: { OPENCLAW_STATE_DIR: join(at.folder, 'openclaw') } }
        })
        expectTalk(session)
        expect(session.windowTokens).toBe(64_000)
        await expectAudit(place, env, 'openclaw')
      })
    },
  )

  describeWithHost('Gemini CLI', installGemini, (program) => {
    it('22 a session with compressions', async () => {
      // A resumed session hands results to the model twice, which a vendor refuses: the file is read at the end.
      const lines = [TELL, `Go on, please. ${'The plan has many words. '.repeat(200)}`.trim(), READ]
      const { session, place, env } = await holdTalk(
        'gemini-cli',
        async (at) => {
          const setup = { ...at, upstream: at.baseURL.replace(/\/v1$/, '') }
          for (const [index, text] of lines.entries()) await askGemini(program, text, setup, index === 0)
          return { env: {} }
        },
        answerGemini,
      )
      expectTalk(session, lines)
      await expectAudit(place, env, 'gemini-cli')
    })
  })
})
