import { LONG_NUMBER } from '../facts/find-number.ts'
import type { FactKind, Mention } from '../facts/mention.ts'

/** Where in a session: the message's number from 0, its stretch, and the place in that. */
export interface Spot {
  readonly message: number
  readonly segment: number
  readonly start: number
}

/** One thing that was named, with where it stands now. */
export interface FactState {
  readonly key: string
  readonly alias: FactState | null
  kind: FactKind | null
  text: string
  /** Folders of a file, words before a number. */
  labels: ReadonlySet<string>
  /** How many messages and summaries of the window name it. */
  held: number
  /** How many messages have named it. */
  saidIn: number
  /** A person named it. */
  isPersons: boolean
  /** The last time before it left the window. */
  lastSaid: Spot
  /** The compaction after which the window had it no more; null: it has it, or nobody's compaction took it. */
  lostAt: number | null
  /** It came back with content that was fetched a second time. */
  isRefetched: boolean
  /** The compaction whose summary, or what that kept, has it; until somebody uses it. */
  toldAt: number | null
}

export interface FactTable {
  findOrAdd(mention: Mention, spot: Spot): FactState
  all(): Iterable<FactState>
}

export function createFactTable(): FactTable {
  const facts = new Map<string, FactState>()
  const findOrAdd = (mention: Mention, spot: Spot): FactState => {
    const { key, kind, text } = mention
    const known = facts.get(key)
    if (known !== undefined) {
      if (known.kind === null && kind !== null) {
        known.kind = kind
        known.text = text
      }
      return known
    }
    const { alias } = mention
    const other = alias === undefined || alias === key ? null : findOrAdd({ ...ALIAS, key: alias, text: alias }, spot)
    const added: FactState = {
      key,
      alias: other,
      kind,
      text,
      labels: NO_LABELS,
      held: 0,
      saidIn: 0,
      isPersons: false,
      lastSaid: spot,
      lostAt: null,
      isRefetched: false,
      toldAt: null,
    }
    facts.set(key, added)
    return added
  }
  return { findOrAdd, all: () => facts.values() }
}

const NO_LABELS: ReadonlySet<string> = new Set()
const ALIAS = { kind: null, label: null } as const

/** A short alias is a word of the language: `annotation.ex` is not known because somebody speaks of an annotation. */
const MIN_ALIAS_CHARS = 8

export function isHeld({ held, alias }: FactState): boolean {
  return held > 0 || (alias !== null && alias.held > 0 && alias.key.length >= MIN_ALIAS_CHARS)
}

/** Whether a mention means the same thing, and not another file of that name or another number of these digits. */
export function isSameThing(fact: FactState, { label, kind }: Mention): boolean {
  // The tenant code 4471 is the tenant 4471, and not port 4471.
  if (kind === 'number' && label !== null && fact.labels.size > 0 && !LONG_NUMBER.test(fact.key))
    return label.split(' ').some((word) => fact.labels.has(word))
  if (kind !== 'path') return true
  return label === null ? fact.labels.size <= 1 : fact.labels.size === 0 || fact.labels.has(label)
}
