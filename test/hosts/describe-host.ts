import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HostUnderTest } from './host-under-test.ts'
import { runHostTalk } from './run-host-talk.ts'
import type { HostReport } from './run-host-talk.ts'

/** Turns of the long conversation, which `npm run test:hosts` holds. */
const MANY_TURNS = 40
const FEW_TURNS = 12
const TIMEOUT_MS = 900_000
const REPORTS = join(import.meta.dirname, '../../node_modules/.cache/longhaul/host-reports')

/** Holds a conversation in a real host with Longhaul, and a long one without it as well. */
export function describeHost(host: HostUnderTest): void {
  const isLong = process.env['LONGHAUL_TEST_HOSTS'] === 'long'
  const turns = isLong ? MANY_TURNS : FEW_TURNS

  describe(`${host.name}: ${turns} turns in the real host (${host.versions})`, () => {
    it(
      '20 with Longhaul nothing is refused, old facts are known, and a kill changes no prefix',
      { timeout: TIMEOUT_MS },
      async () => {
        const report = await talk(host, turns, true)
        expect(report.errors).toEqual([])
        expect(report.invalid).toBe(0)
        expect(report.refusals).toBe(0)
        expect(report.stored?.compactions).toBeGreaterThanOrEqual(isLong ? 2 : 1)
        expect(report.known, report.unanswered.join('\n')).toBeGreaterThanOrEqual(Math.ceil(report.facts * 0.9))
        expect(report.copies ?? 0).toBe(0)
        expect(report.samePrefix).toBe(true)
        expect(report.stored?.sessions).toBe(1)
        expectSaidOnce(report)
      },
    )

    if (!isLong) return
    it('20 without Longhaul the same conversation is held for comparison', { timeout: TIMEOUT_MS }, async () => {
      const { tokensSent } = await talk(host, turns, false)
      // A host that never reached the provider is nothing to compare with.
      expect(tokensSent).toBeGreaterThan(0)
    })
  })
}

/** Hosts may put words of their own around a message; the order holds, and nothing stands twice. */
function expectSaidOnce({ said, stored }: HostReport): void {
  const texts = stored?.said ?? []
  const places = said.map((text) => texts.flatMap((found, index) => (found.includes(text) ? [index] : [])))
  expect(places.map(({ length }) => length)).toEqual(said.map(() => 1))
  const order = places.flat()
  expect(order).toEqual(order.toSorted((a, b) => a - b))
}

async function talk(host: HostUnderTest, turns: number, longhaul: boolean): Promise<HostReport> {
  const folder = await mkdtemp(join(tmpdir(), `longhaul-${host.name}-`))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const report = await runHostTalk(host, { turns, folder, longhaul })
  await mkdir(REPORTS, { recursive: true })
  const name = `${host.name}-${turns}-${longhaul ? 'with' : 'without'}.json`
  await writeFile(
    join(REPORTS, name),
    JSON.stringify({ ...report, said: undefined, stored: report.stored?.compactions }, null, 2),
  )
  return report
}
