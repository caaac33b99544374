import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PRESETS } from '@longhaul/engine/advanced'
import type { PresetName } from '@longhaul/engine/advanced'
import type { Models } from '@longhaul/models/port'
import { createSqliteStore } from '@longhaul/store'
import { afterAll, describe, expect, it } from 'vitest'
import { planConversation } from './plan-conversation.ts'
import { printTable } from './print-table.ts'
import type { TableRow } from './print-table.ts'
import { runConversation } from './run-conversation.ts'

export const ALL_PRESETS = Object.keys(PRESETS) as PresetName[]
const TURNS = 300
/** What the agent may not know when it starts; then it has learnt. */
const MAX_REFUSALS = 2

export interface ConversationCase {
  readonly preset: PresetName
  readonly configuredTokens: number
  /** What the model enforces. */
  readonly windowTokens: number
}

/** A model under test, and what can be said of the requests it got once the conversation is over. */
export interface ModelUnderTest {
  readonly name: string
  readonly models: Models
  readonly check: (pins: readonly string[]) => void
  readonly close: () => Promise<void>
}

/** A conversation of 300 turns with tools, on a database file, for each case; prints how they went. */
export function describeConversations(
  title: string,
  cases: readonly ConversationCase[],
  start: (example: ConversationCase) => Promise<ModelUnderTest>,
): void {
  describe(title, () => {
    const rows: TableRow[] = []
    afterAll(() => printTable(title, rows))

    it.each(cases)(
      'ONE-03 ONE-12 OPEN-10 OPEN-15 SPEC-01 $preset goes on for 300 turns in $windowTokens tokens ($configuredTokens configured)',
      async (example) => {
        const { preset, windowTokens } = example
        const { name, models, check, close } = await start(example)
        const folder = await mkdtemp(join(tmpdir(), 'longhaul-conversation-'))
        const store = await createSqliteStore({ file: join(folder, 'longhaul.db') })
        const conversation = planConversation({ turns: TURNS, seed: windowTokens, ...chooseSizes(example) })
        try {
          const report = await runConversation({ preset, models, store, conversation })
          rows.push({ ...report, ...example, model: name })
          expect(report.errors).toEqual([])
          expect(report.problems).toEqual([])
          expect(report.invalid).toEqual([])
          expect(report.changed).toEqual([])
          expect(report.unanswered).toEqual([])
          expect(report.pinnedAnswered).toBe(conversation.pins.length)
          expect(report.compactions).toBeGreaterThan(3)
          expect(report.refusals).toBeLessThanOrEqual(MAX_REFUSALS)
          expect(report.largestInput).toBeLessThanOrEqual(windowTokens)
          check(conversation.pins)
        } finally {
          await store.close()
          await rm(folder, { recursive: true })
          await close()
        }
      },
    )
  })
}

/** As shares of the window, as small as they may be for some compactions in 300 turns. */
const SIZES: Readonly<Record<PresetName, { readonly message: number; readonly file: number }>> = {
  oneclaw: { message: 0.02, file: 0.1 },
  openclaw: { message: 0.02, file: 0.1 },
  // Keeps little word for word, so it takes longer until a window is full again.
  longhaul: { message: 0.035, file: 0.1 },
  // Sends at most 50 messages, so they must be long to fill a window.
  micro: { message: 0.08, file: 0.65 },
  // Soon cuts what tools returned, so it is the messages that fill the window.
  spec008: { message: 0.035, file: 0.1 },
}

function chooseSizes({ preset, windowTokens }: ConversationCase): { messageChars: number; fileChars: number } {
  const { message, file } = SIZES[preset]
  return { messageChars: windowTokens * message, fileChars: windowTokens * file }
}
