import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ClientUnderTest } from './client-under-test.ts'
import { runClientTalk } from './run-client-talk.ts'
import type { ClientReport } from './run-client-talk.ts'

/** Turns of the long conversation, which `npm run test:hosts` holds. */
const MANY_TURNS = 30
const FEW_TURNS = 12
/** The upstream says once how small it is; a learned size may still be a little too large. */
const MAX_REFUSALS = 3
const TIMEOUT_MS = 600_000

/** Holds a conversation in a real client through `longhaul run`, and the same one without it. */
export function describeClient(client: ClientUnderTest): void {
  const turns = process.env['LONGHAUL_TEST_HOSTS'] === 'long' ? MANY_TURNS : FEW_TURNS

  describe(`${client.name}: ${turns} turns in the real client (${client.versions})`, { timeout: TIMEOUT_MS }, () => {
    it('21 through longhaul run nothing is refused, and old facts are known', async () => {
      const report = await talk(client, { turns, longhaul: true })
      const { errors, invalid, refusals, known, facts, unanswered, unread, stored, printed, ownCompaction } = report
      expect({ errors, invalid, unanswered, unread }).toEqual({ errors: [], invalid: [], unanswered: [], unread: [] })
      expect(known).toBe(facts)
      expect(refusals).toBeLessThanOrEqual(MAX_REFUSALS)
      expect(stored?.compactions).toBeGreaterThanOrEqual(1)
      expect(stored?.sessions).toBe(1)
      expect(printed).toMatch(
        /Longhaul: \d+ requests, \d+ made smaller, about [\d,]+ tokens not sent, \d+ refusals? avoided/,
      )
      expect(printed).toMatch(/\d+ summar(?:y|ies) by the model: [\d,]+ tokens in, [\d,]+ out, \$[\d.]+\./)
      expect(ownCompaction).toMatchObject({ errors: [], goesOn: true, isKnown: true })
    })

    it('21 without it the same conversation ends at the first refusal', async () => {
      const { errors, refusals, known, facts } = await talk(client, { turns, longhaul: false })
      expect(refusals).toBeGreaterThanOrEqual(1)
      expect(errors.length).toBeGreaterThanOrEqual(facts)
      expect(errors.at(-1)).toMatch(client.refuses)
      expect(known).toBe(0)
    })
  })
}

async function talk(
  client: ClientUnderTest,
  how: { readonly turns: number; readonly longhaul: boolean },
): Promise<ClientReport> {
  const folder = await mkdtemp(join(tmpdir(), `longhaul-${client.name}-`))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return runClientTalk(client, { ...how, folder })
}
