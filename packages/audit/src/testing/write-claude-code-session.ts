import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const START = Date.UTC(2026, 10, 2, 9, 0)
const SOURCE = Array.from(
  { length: 120 },
  (_, line) => `${line + 1}→  await post(ledger, row[${line}], rates.standard)`,
)

export interface WrittenSession {
  readonly path: string
  /** The fact that the summary drops and that is needed again. */
  readonly lost: string
  /** The fact that the summary keeps. */
  readonly told: string
  /** The file that is read before and after the compaction. */
  readonly readAgain: string
}

/**
 * A session of Claude Code with one automatic compaction, where the program keeps such sessions. The summary drops the
 * tenant's code, which is used again, and keeps the port; one file is read again.
 */
export async function writeClaudeCodeSession(home: string): Promise<WrittenSession> {
  const folder = join(home, '.claude/projects/-home-ada-billing')
  const path = join(folder, '7c1f6a52-4a0c-4a55-9f0e-2d1b6c3e8f01.jsonl')
  await mkdir(folder, { recursive: true })
  await writeFile(path, `${createLines().join('\n')}\n`)
  return { path, lost: 'TENANT-4471-Q', told: '8443', readAgain: '/home/ada/billing/src/dunning.ts' }
}

function createLines(): readonly string[] {
  const lines: string[] = []
  let last: string | null = null
  const add = (fields: Readonly<Record<string, unknown>>): void => {
    const uuid = `00000000-0000-4000-8000-${String(lines.length + 1).padStart(12, '0')}`
    const timestamp = new Date(START + lines.length * 60_000).toISOString()
    const isBoundary = fields['subtype'] === 'compact_boundary'
    lines.push(
      JSON.stringify({
        parentUuid: isBoundary ? null : last,
        ...(isBoundary ? { logicalParentUuid: last } : {}),
        isSidechain: false,
        userType: 'external',
        cwd: '/home/ada/billing',
        sessionId: '7c1f6a52-4a0c-4a55-9f0e-2d1b6c3e8f01',
        version: '2.1.300',
        uuid,
        timestamp,
        ...fields,
      }),
    )
    last = uuid
  }
  const user = (content: unknown, more = {}): void => add({ type: 'user', message: { role: 'user', content }, ...more })
  const assistant = (content: unknown, inputTokens: number): void =>
    add({
      type: 'assistant',
      message: {
        id: `msg_${lines.length}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5-20250929',
        content,
        usage: {
          input_tokens: 12,
          cache_read_input_tokens: inputTokens,
          cache_creation_input_tokens: 900,
          output_tokens: 300,
        },
      },
    })
  const read = (id: string, inputTokens: number): void => {
    assistant(
      [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/home/ada/billing/src/dunning.ts' } }],
      inputTokens,
    )
    user([{ type: 'tool_result', tool_use_id: id, content: SOURCE.join('\n') }])
  }
  user('Reminders for TENANT-4471-Q go out twice. The service listens on port 8443.')
  assistant([{ type: 'text', text: 'I look at the reminders of TENANT-4471-Q first.' }], 14_000)
  read('toolu_1', 15_000)
  for (let step = 1; step <= 12; step += 1) {
    user(`Now look at step ${step} of the run.`)
    assistant(
      [{ type: 'text', text: `Step ${step} sends nothing by itself. It calls the next one.` }],
      16_000 + step * 12_000,
    )
  }
  add({
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    level: 'info',
    compactMetadata: { trigger: 'auto', preTokens: 167_204 },
  })
  user(
    'This session is being continued from a previous conversation that ran out of context. Summary: Reminders of one tenant go out twice. The service listens on port 8443. The twelve steps of the run were read.',
    { isCompactSummary: true, isVisibleInTranscriptOnly: true },
  )
  user('Write the fix, and try it on port 8443.')
  read('toolu_2', 24_000)
  assistant([{ type: 'text', text: 'Which tenant was it? I need the code to try the fix on port 8443.' }], 26_000)
  user('TENANT-4471-Q, as I said.')
  assistant([{ type: 'text', text: 'Done: TENANT-4471-Q gets one reminder.' }], 27_000)
  return lines
}
