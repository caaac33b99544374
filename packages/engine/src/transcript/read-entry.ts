import type {
  Anchor,
  CompactionEntry,
  Entry,
  EntryRef,
  FlushEntry,
  MessageEntry,
  PruneDecision,
  PruneEntry,
  ToolApproval,
  TrimEntry,
} from './entry.ts'
import { readFailure } from './failure.ts'
import { isRecord, isStringList, toJson, toJsonObject } from './json.ts'
import { readParts, readRole, readUsage } from './read-message.ts'
import { readSummaryDocument } from './read-summary-document.ts'

type Fields = Readonly<Record<string, unknown>>

const FINISHES: ReadonlySet<unknown> = new Set<MessageEntry['finish']>([
  'stop',
  'tool-calls',
  'length',
  'error',
  'aborted',
])
const FLUSH_OUTCOMES: ReadonlySet<unknown> = new Set<FlushEntry['outcome']>(['wrote', 'silent', 'failed', 'skipped'])

/**
 * Makes an entry of whatever a log holds, or null where there is none in it. Never throws. A valid entry comes back as
 * the same object; a damaged one is repaired; a type of a newer version becomes `unknown` and keeps its fields.
 */
export function readEntry(value: unknown): Entry | null {
  const json = toJson(value)
  if (!isRecord(json)) return null
  const { seq, id, at } = json
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0) return null
  if (typeof id !== 'string' || id === '') return null
  return readTyped(typeof at === 'number' ? json : { ...json, at: 0 })
}

function readTyped(value: Fields): Entry {
  switch (value['type']) {
    case 'message':
      return readMessageEntry(value)
    case 'compaction':
      return readMove(value) ?? unknownEntry(value)
    case 'trim':
      return readMove(value) ?? unknownEntry(value)
    case 'prune':
      return readPrune(value)
    case 'compaction-undone':
      return checked(value, typeof value['compaction'] === 'string')
    case 'pin':
      return checked(value, typeof value['text'] === 'string' && value['text'] !== '')
    case 'unpin':
      return checked(value, typeof value['pin'] === 'string')
    case 'model-change':
      return checked(value, typeof value['model'] === 'string')
    case 'environment':
      return checked(value, typeof value['hash'] === 'string' && isRecord(value['parts']))
    case 'interrupted':
      return readInterrupted(value)
    case 'branch':
      return checked(value, value['to'] === null || isRef(value['to']))
    case 'maintenance-failed':
      return checked(repairUsage(value), value['work'] === 'compaction' || value['work'] === 'flush')
    case 'bill':
      return checked(value, isBill(value))
    case 'flush':
      return checked(repairUsage(value), FLUSH_OUTCOMES.has(value['outcome']) && isCountOrAbsent(value['cycle']))
    case 'settings':
      return checked(
        value,
        isTextOrAbsent(value['title']) && isTextOrAbsent(value['preset']) && isRecordOrAbsent(value['policy']),
      )
    case 'unknown':
      return checked(value, isRecord(value['original']))
    case 'reset':
      return value as unknown as Entry
    default:
      return unknownEntry(value)
  }
}

/** Without a usage that adds up it is not a bill. */
function isBill(value: Fields): boolean {
  const { work, model, usage } = value
  const isKnown = work === 'title' || work === 'heartbeat' || work === 'discarded'
  return isKnown && typeof model === 'string' && usage !== undefined && readUsage(usage) === usage
}

function checked(value: Fields, isValid: boolean): Entry {
  return isValid ? (value as unknown as Entry) : unknownEntry(value)
}

function unknownEntry(value: Fields): Entry {
  return { type: 'unknown', ...identity(value), original: toJsonObject(value) }
}

function identity(value: Fields): { seq: number; id: string; at: number } {
  return { seq: value['seq'] as number, id: value['id'] as string, at: value['at'] as number }
}

function readMessageEntry(value: Fields): MessageEntry {
  const role = readRole(value['role'])
  const parts = readParts(value['parts'], role)
  const { anchor, model, finish, failure: reason, approval, ...rest } = repairUsage(value)
  const failure = readFailure(reason)
  const isClean =
    role === value['role'] &&
    parts === value['parts'] &&
    rest['usage'] === value['usage'] &&
    (anchor === undefined || isAnchor(anchor)) &&
    (finish === undefined || FINISHES.has(finish)) &&
    failure === reason &&
    (approval === undefined || isApproval(approval)) &&
    isTextOrAbsent(model)
  if (isClean) return value as unknown as MessageEntry
  return {
    ...(rest as unknown as MessageEntry),
    role,
    parts,
    ...(isAnchor(anchor) ? { anchor } : {}),
    ...(FINISHES.has(finish) ? { finish: finish as NonNullable<MessageEntry['finish']> } : {}),
    ...(failure === undefined ? {} : { failure }),
    ...(typeof model === 'string' ? { model } : {}),
    ...(isApproval(approval) ? { approval } : {}),
  }
}

const APPROVERS: ReadonlySet<unknown> = new Set<ToolApproval['by']>(['person', 'time-out', 'cancel'])

function isApproval(value: unknown): value is ToolApproval {
  return isRecord(value) && typeof value['allow'] === 'boolean' && APPROVERS.has(value['by'])
}

/** Whatever is said of who allowed them, these calls were made: forgotten, they would be asked for once more. */
function readInterrupted(value: Fields): Entry {
  const { allowed, ...rest } = value
  if (!isStringList(value['toolCallIds'])) return unknownEntry(value)
  return (allowed === undefined || isStringList(allowed) ? value : rest) as unknown as Entry
}

/** Totals are summed and contexts measured by it: half a usage would make both NaN. */
function repairUsage(value: Fields): Fields {
  const usage = readUsage(value['usage'])
  if (usage === value['usage']) return value
  const { usage: _damaged, ...rest } = value
  return usage === undefined ? rest : { ...rest, usage }
}

function readMove(value: Fields): CompactionEntry | TrimEntry | null {
  const { firstKept, previous, carried } = value
  const moves =
    isCount(value['fromSeq']) &&
    (firstKept === null || (isRef(firstKept) && 'at' in firstKept && typeof firstKept.at === 'number')) &&
    (previous === null || isRef(previous)) &&
    Array.isArray(carried) &&
    carried.every(isRef) &&
    isCount(value['tokensBefore']) &&
    isCount(value['tokensAfter'])
  if (!moves) return null
  if (value['type'] === 'trim') {
    const isTrim =
      (value['summary'] === null || isRef(value['summary'])) && isTextOrNull(value['note']) && isCount(value['dropped'])
    return isTrim ? (value as unknown as TrimEntry) : null
  }
  const document = readSummaryDocument(value['document'])
  if (document === null) return null
  const compaction = repairUsage(value) as unknown as CompactionEntry
  return document === value['document'] ? compaction : { ...compaction, document }
}

function readPrune(value: Fields): Entry {
  if (!Array.isArray(value['decisions'])) return unknownEntry(value)
  const decisions = value['decisions'].filter(isDecision)
  if (decisions.length === value['decisions'].length) return value as unknown as PruneEntry
  return { ...(value as unknown as PruneEntry), decisions }
}

function isDecision(value: unknown): value is PruneDecision {
  if (!isRecord(value) || !isRef(value['entry']) || !isCount(value['part'])) return false
  if (value['form'] === 'cleared') return typeof value['placeholder'] === 'string'
  return (
    value['form'] === 'soft-trimmed' &&
    isCount(value['headChars']) &&
    isCount(value['tailChars']) &&
    typeof value['note'] === 'string'
  )
}

function isRef(value: unknown): value is EntryRef {
  return isRecord(value) && typeof value['id'] === 'string' && isCount(value['seq'])
}

function isAnchor(value: unknown): value is Anchor {
  return (
    isRecord(value) &&
    typeof value['model'] === 'string' &&
    isCount(value['itemCount']) &&
    typeof value['chainHash'] === 'string' &&
    (value['asideTokens'] === undefined || isCount(value['asideTokens']))
  )
}

function isCountOrAbsent(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isRecordOrAbsent(value: unknown): boolean {
  return value === undefined || isRecord(value)
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
