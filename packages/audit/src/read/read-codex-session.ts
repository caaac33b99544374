import type { Entry, Part } from '@longhaul/engine/advanced'
import { createEntryList, optional, readString, readTime, recordAt } from '@longhaul/store/jsonl'
import type { Fields, LineGroup, SkippedLine } from '@longhaul/store/jsonl'
import type { RecordedCompaction } from '../find/agent-session.ts'
import { createRollout } from './codex/create-rollout.ts'
import type { Rollout } from './codex/create-rollout.ts'
import type { Said } from './codex/said.ts'
import { withPutBack } from './put-back.ts'
import type { LineReading } from './read-lines.ts'
import type { SessionRead } from './session-read.ts'

/** A rollout of Codex, from the first versions on. */
export function readCodexSession(group: LineGroup): SessionRead {
  const rollout = createRollout()
  for (const line of group.lines) rollout.read(line)
  const meta = rollout.meta()
  const { entries, recorded } = toEntries(rollout.said)
  return {
    imported: {
      session: {
        id: readString(meta['id']) ?? readString(meta['session_id']) ?? 'session-1',
        createdAt: readTime(meta['timestamp']) || (entries[0]?.at ?? 0),
        ...optional('model', rollout.model()),
        ...optional('systemPrompt', readInstructions(meta)),
      },
      entries,
      artifacts: [],
      skipped: [...group.skipped, ...leftOut(rollout)].toSorted((a, b) => a.line - b.line),
    },
    parentId: readParent(meta),
    windowTokens: rollout.windowTokens() ?? null,
    recorded,
  }
}

function toEntries(said: readonly Said[]): Pick<SessionRead, 'recorded'> & { readonly entries: readonly Entry[] } {
  const list = createEntryList()
  const places = new Map<Said, Entry>()
  const recorded = new Map<string, RecordedCompaction>()
  const putBack = new Map<string, readonly string[]>()
  for (const each of said) {
    const origin = { id: each.id, at: each.at }
    if (each.type === 'message') {
      const { by: role, parts, usage, model } = each
      const bill = role === 'assistant' ? { ...optional('model', model), ...optional('usage', usage) } : {}
      places.set(each, list.addMessage(origin, { role, parts: parts.map(withoutWrapper), ...bill }))
      continue
    }
    list.addCompaction(origin, {
      summary: each.summary,
      firstKept: null,
      carried: each.kept.flatMap((kept) => places.get(kept) ?? []),
      reason: 'threshold',
      strategy: 'codex',
      tokensBefore: each.tokensBefore ?? 0,
      tokensAfter: each.tokensAfter,
      ...optional('usage', each.usage),
    })
    const id = list.entries.at(-1)?.id ?? ''
    const [tokensBefore, tokensAfter] = [each.tokensBefore ?? null, each.tokensAfter ?? null]
    recorded.set(id, { trigger: null, tokensBefore, tokensAfter })
    putBack.set(id, each.putBack)
  }
  const entries = list.finish()
  return {
    entries: entries.map((entry) =>
      entry.type === 'compaction' ? withPutBack(entry, putBack.get(entry.id) ?? []) : entry,
    ),
    recorded,
  }
}

const WRAPPER_CHARS = 160

/** A script that does nothing but run a command is that command: the rest of it is in every such script. */
function withoutWrapper(part: Part): Part {
  if (part.type !== 'tool-call') return part
  const { input: script, command } = part.input
  if (typeof script !== 'string' || typeof command !== 'string') return part
  return script.length > command.length + WRAPPER_CHARS ? part : { ...part, input: { command } }
}

function leftOut({ takenBack, sealed }: Rollout): readonly SkippedLine[] {
  return [
    ...takenBack.map((line) => ({ line, reason: 'on a branch that was left' })),
    ...sealed.map((line) => ({
      line,
      reason: 'a compaction whose summary is encrypted: nobody can tell what it kept',
    })),
  ]
}

function readInstructions(meta: Fields): string | undefined {
  return readString(recordAt(meta, 'base_instructions')['text']) ?? readString(meta['instructions'])
}

function readParent(meta: Fields): string | null {
  const spawn = recordAt(recordAt(recordAt(meta, 'source'), 'subagent'), 'thread_spawn')
  return readString(spawn['parent_thread_id']) ?? readString(meta['parent_thread_id']) ?? null
}

const BOOKKEEPING =
  /^\{(?:"timestamp":"[^"]*",)?(?:"ordinal":\d+,)?"type":"(?:world_state|security_risk_score|realtime_item)"/

export const CODEX_READING: LineReading = {
  isOfUse: (beginning) => !BOOKKEEPING.test(beginning),
  slim(value) {
    const payload = recordAt(value, 'payload')
    if (value['type'] === 'response_item') return payload['type'] === 'additional_tools' ? null : value
    if (value['type'] !== 'event_msg') return value
    // The others repeat what stands in an item.
    return OF_USE.has(String(payload['type'])) ? slimEvent(value, payload) : null
  },
}

const OF_USE = new Set(['token_count', 'task_started', 'turn_started', 'thread_rolled_back', 'item_completed'])

function slimEvent(value: Fields, payload: Fields): Fields | null {
  if (payload['type'] !== 'item_completed') return value
  const { type, command } = recordAt(payload, 'item')
  return type === 'CommandExecution' ? { ...value, payload: { type: 'item_completed', item: { type, command } } } : null
}
