import type { AuditReport, CompactionAudit, LostFact, Place, Refetch, SessionAudit } from '../report/audit-report.ts'
import { createTotals } from '../report/create-totals.ts'

const START = Date.UTC(2026, 9, 12, 8, 0)
const MINUTE = 60_000

function createPlace(message: number, by: Place['by'], excerpt: string): Place {
  return { entryId: `entry-${message}`, message, at: START + message * MINUTE, by, excerpt }
}

function createLoss(kind: string, text: string, places: readonly [Place, Place]): LostFact {
  return { kind, text, saidAt: places[0], neededAt: places[1] }
}

function createRefetch(path: string, tokens: number | null, message: number): Refetch {
  return { path, command: null, tokens, tokensSource: 'measured', at: createPlace(message, 'tool', `Read ${path}`) }
}

export function createCompaction(changes: Partial<CompactionAudit> = {}): CompactionAudit {
  return {
    at: START + 170 * MINUTE,
    trigger: 'auto',
    tokensBefore: 167_512,
    tokensAfter: 31_204,
    tokensSource: 'recorded',
    facts: 214,
    factsByKind: { path: 120, identifier: 31, code: 18, number: 30, name: 9, quote: 6 },
    told: 88,
    needed: 31,
    lost: [],
    refetched: [],
    costUsd: 0.61,
    cost: { summaryUsd: 0.54, refetchUsd: 0.07 },
    ...changes,
  }
}

export function createSession(changes: Partial<SessionAudit> = {}): SessionAudit {
  return {
    id: '3f2a1b9c-7d55-4f0e-9a3e-0c1d2e3f4a5b',
    parentId: null,
    agent: 'claude-code',
    path: '/home/ada/.claude/projects/-home-ada-work-billing/3f2a1b9c-7d55-4f0e-9a3e-0c1d2e3f4a5b.jsonl',
    title: 'Invoices for tenants in arrears',
    startedAt: START,
    messages: 412,
    model: 'anthropic/claude-sonnet-4-5',
    windowTokens: 200_000,
    windowSource: 'registry',
    compactions: [],
    withLonghaul: null,
    ...changes,
  }
}

export function createReport(sessions: readonly SessionAudit[], changes: Partial<AuditReport> = {}): AuditReport {
  return { sessions, totals: createTotals(sessions), problems: [], ...changes }
}

const SECRET = 'sk-ant-api03-9f8e7d6c5b4a39281706f5e4d3c2b1a0'

/** A machine with sessions of four agents; some of what they hold must not be shown to others. */
export function createExampleReport(): AuditReport {
  const you = (message: number, text: string): Place => createPlace(message, 'user', text)
  const agent = (message: number, text: string): Place => createPlace(message, 'assistant', text)
  const tool = (message: number, text: string): Place => createPlace(message, 'tool', text)
  const billing = createSession({
    compactions: [
      createCompaction({
        lost: [
          createLoss('code', 'TENANT-4471-Q', [
            you(12, 'The tenant in question is TENANT-4471-Q, the one with two contracts.'),
            you(212, 'No: TENANT-4471-Q. I told you at the start.'),
          ]),
          createLoss('quote', 'Never send a mail from a test.', [
            you(8, 'Never send a mail from a test. Use the outbox folder.'),
            agent(260, 'I sent a test mail to check the template; you said never to send a mail from a test.'),
          ]),
          createLoss('number', '3.75 %', [
            tool(41, 'late_fee_rate = 3.75 % # since 2024'),
            agent(244, 'What is the late fee? I assume 3.75 % as elsewhere.'),
          ]),
        ],
        refetched: [
          createRefetch('/home/ada/work/billing/src/dunning.ts', 8_412, 196),
          createRefetch('/home/ada/work/billing/README.md', 2_120, 199),
        ],
      }),
      createCompaction({
        at: START + 320 * MINUTE,
        tokensBefore: 168_004,
        tokensAfter: 28_410,
        needed: 22,
        lost: [
          createLoss('address', 'https://billing.example.org/v2/dunning', [
            tool(180, `curl -H "Authorization: Bearer ${SECRET}" https://billing.example.org/v2/dunning`),
            agent(351, 'I need the address of the dunning service, https://billing.example.org/v2/dunning.'),
          ]),
        ],
        refetched: [createRefetch('/home/ada/work/billing/src/dunning.ts', 8_655, 340)],
        costUsd: 0.58,
        cost: { summaryUsd: 0.53, refetchUsd: 0.05 },
      }),
    ],
    withLonghaul: { lost: 1, refetchedTokensAtMost: 2_120, compactions: 3, costUsd: 0.44 },
  })
  const codex = createSession({
    id: '019a-codex',
    agent: 'codex',
    path: '/home/ada/.codex/sessions/2026/10/13/rollout-2026-10-13T09-00-00-019a.jsonl',
    title: 'Move the importer to streams',
    startedAt: START + 1_500 * MINUTE,
    messages: 233,
    model: 'openai/gpt-5-codex',
    windowTokens: 272_000,
    windowSource: 'recorded',
    compactions: [
      createCompaction({
        at: START + 1_620 * MINUTE,
        tokensBefore: 244_800,
        tokensAfter: 22_900,
        needed: 9,
        lost: [
          createLoss('path', 'src/importer/split-lines.ts', [
            agent(30, 'The bug is in src/importer/split-lines.ts.'),
            agent(150, 'Let me look for the file that splits lines: src/importer/split-lines.ts'),
          ]),
        ],
        refetched: [createRefetch('src/importer/split-lines.ts', null, 152)],
        costUsd: null,
        cost: { summaryUsd: null, refetchUsd: null },
      }),
    ],
    withLonghaul: { lost: 0, refetchedTokensAtMost: 0, compactions: 1, costUsd: null },
  })
  const pi = createSession({
    id: 'pi-1',
    agent: 'pi',
    path: '/home/ada/.pi/agent/sessions/garden/1.jsonl',
    title: null,
    startedAt: START + 2_900 * MINUTE,
    messages: 96,
    compactions: [
      createCompaction({ at: START + 3_000 * MINUTE, trigger: null, tokensBefore: null, tokensAfter: null, needed: 4 }),
    ],
  })
  const gemini = createSession({
    id: 'gemini-1',
    agent: 'gemini-cli',
    path: '/home/ada/.gemini/tmp/4f/chats/session-1.json',
    title: 'A small question',
    messages: 6,
  })
  return createReport([billing, codex, pi, gemini], {
    problems: [{ path: '/home/ada/.claude/projects/-home-ada-old/broken.jsonl', line: 4, reason: 'not JSON' }],
  })
}
