import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildPackage } from '../../../test/hosts/build-package.ts'
import { describeHost } from '../../../test/hosts/describe-host.ts'
import { answerHost, kindOf } from '../../../test/hosts/host-brain.ts'
import { installHost } from '../../../test/hosts/install-host.ts'
import { readStored } from '../../../test/hosts/read-stored.ts'
import { leaveOut } from '../../../test/left-out.ts'
import { OPENCLAW } from './testing/openclaw-version.ts'
import { startOpenClaw } from './testing/start-openclaw.ts'

const TIMEOUT_MS = 600_000
const installed = await installHost({ name: 'openclaw', packages: [OPENCLAW] }).catch(String)

if (installed.startsWith('/')) await describeOpenClaw(installed)
else leaveOut('openclaw: a conversation in the real host', `it could not be installed: ${installed}`)

async function describeOpenClaw(folder: string): Promise<void> {
  const { folder: plugin, remove } = await buildPackage('hosts/openclaw')
  afterAll(remove)
  const start = (setup: Parameters<typeof startOpenClaw>[1]) => startOpenClaw(folder, setup, { plugin })

  describeHost({ name: 'openclaw', versions: OPENCLAW, start })

  describe(`openclaw: what goes wrong (${OPENCLAW})`, { timeout: TIMEOUT_MS }, () => {
    /** OpenClaw believes in a window twice as large as the provider's. */
    async function open(storeText: string | null) {
      const home = await mkdtemp(join(tmpdir(), 'longhaul-openclaw-'))
      onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
      const workspace = join(home, 'workspace')
      await mkdir(join(workspace, 'notes'), { recursive: true })
      await writeFile(join(workspace, 'notes/garden.md'), 'The hedge in the garden is high. '.repeat(450))
      const store = join(home, 'sessions.db')
      if (storeText !== null) await writeFile(store, storeText)
      const server = await startWireServer({ otherwise: answerHost, windowTokens: 32_000 })
      onTestFinished(() => server.close())
      const running = await start({
        folder: home,
        workspace,
        store,
        baseURL: server.baseURL,
        model: 'fake-model',
        windowTokens: 64_000,
        maxOutputTokens: 2_000,
        sessionId: 'talk-1',
      })
      onTestFinished(() => running.kill())
      const say = async (text: string): Promise<void> => expect((await running.say(text)).errors).toEqual([])
      const fill = async (turns: number): Promise<void> => {
        for (let turn = 1; turn <= turns; turn += 1)
          await say(`Place ${turn}: ${`the weather in place ${turn} is fine. `.repeat(380)}`)
      }
      const refusals = (): number => server.requests.filter(({ refused }) => refused === 'too-long').length
      return { running, server, store, say, fill, refusals }
    }

    it('20 a request that is refused in the middle of a turn, and a compaction that a person asks for', async () => {
      const { running, server, store, say, fill, refusals } = await open(null)
      await fill(5)
      for (let count = 1; count <= 3; count += 1) await say('Read notes/garden.md')
      expect(refusals()).toBe(1)
      expect(running.log()).toContain('context engine "longhaul" owns compaction')
      const before = server.requests.at(-1)
      const { code, output } = await running.run('sessions', 'compact', running.sessionKey)
      expect(output).toMatch(/Compacted session .*tokens/)
      expect(code).toBe(0)
      await say('Hello again')
      const after = server.requests.findLast((request) => kindOf(request) === 'turn')
      expect(after?.inputTokens).toBeLessThan((before?.inputTokens ?? 0) * 0.6)
      await running.stop()
      expect((await readStored(store, 'openclaw')).compactions).toBeGreaterThanOrEqual(2)
    })

    it('20 without a usable store OpenClaw goes on by itself, and says so once', async () => {
      const { running, fill, refusals } = await open('This is no database. '.repeat(1_000))
      await fill(8)
      expect(refusals()).toBeGreaterThanOrEqual(1)
      await running.stop()
      expect(running.log().split('the request goes out as the host made it')).toHaveLength(2)
      expect(running.log()).toContain('OpenClaw compacts by itself')
    })
  })
}
