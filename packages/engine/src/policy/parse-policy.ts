import { sliceHead } from '../messages/slice-text.ts'
import { isRecord, textOf } from '../transcript/json.ts'
import { findNearestName } from './nearest-name.ts'
import { ONE_OF_GROUPS, POLICY_KEYS } from './policy-keys.ts'
import { EngineError } from './engine-error.ts'
import type { InputIssue } from './engine-error.ts'
import type { ContextPolicy } from './policy.ts'
import type { GroupKeys, ValueKind } from './value-kinds.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Lays patches over a policy, each over what came before (defaults, then an agent's, then a session's). Throws one
 * `EngineError` that lists every issue with its path; the policy given is never changed.
 *
 * @example
 * const policy = parsePolicy(PRESETS.longhaul, { compaction: { triggerRatio: 0.6 } })
 */
export function parsePolicy(base: ContextPolicy, ...patches: readonly unknown[]): ContextPolicy {
  const issues: InputIssue[] = []
  let policy: Values = base as unknown as Values
  for (const patch of patches) {
    if (patch === undefined || patch === null) continue
    policy = isRecord(patch)
      ? mergeGroup({ keys: POLICY_KEYS, inherited: policy, patch, path: '', issues })
      : reject(issues, { path: '(policy)', expected: 'an object', got: describe(patch) }, policy)
  }
  const merged = policy as unknown as ContextPolicy
  if (issues.length === 0) issues.push(...findContradictions(merged))
  if (issues.length > 0) throw new EngineError('invalid-policy', issues)
  return merged
}

interface MergeInput {
  readonly keys: GroupKeys
  readonly inherited: Values
  readonly patch: Values
  readonly path: string
  readonly issues: InputIssue[]
}

function mergeGroup({ keys, inherited, patch, path, issues }: MergeInput): Values {
  const merged: Record<string, unknown> = { ...inherited, ...clearSiblings(patch, path, issues) }
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const keyPath = path === '' ? key : `${path}.${key}`
    const kind = Object.hasOwn(keys, key) ? keys[key] : undefined
    if (kind === undefined) {
      issues.push(unknownKey(keyPath, key, Object.keys(keys)))
      continue
    }
    const inheritedValue = Object.hasOwn(inherited, key) ? inherited[key] : undefined
    const read = readValue(kind, value, inheritedValue, keyPath, issues)
    if (read !== undefined) merged[key] = read
  }
  return merged
}

function readValue(
  kind: ValueKind<unknown>,
  value: unknown,
  inherited: unknown,
  path: string,
  issues: InputIssue[],
): unknown {
  const read = kind.read(value)
  if (read === undefined) return reject(issues, { path, expected: kind.expected, got: describe(value) }, undefined)
  if (kind.group === undefined || !isRecord(read)) return read
  const start = isRecord(inherited) ? inherited : (kind.groupDefaults ?? {})
  return mergeGroup({ keys: kind.group, inherited: start, patch: read, path, issues })
}

/** Setting one key of a one-of group clears what was inherited for the others. */
function clearSiblings(patch: Values, path: string, issues: InputIssue[]): Record<string, null> {
  const cleared: Record<string, null> = {}
  for (const names of ONE_OF_GROUPS) {
    const keys = names.filter((name) => name.startsWith(`${path}.`)).map((name) => name.slice(path.length + 1))
    const set = keys.filter((key) => typeof patch[key] === 'number')
    if (set.length > 1) {
      issues.push({ path: `${path}.${set[1]}`, expected: `only one of ${keys.join(', ')}`, got: set.join(' and ') })
    }
    if (set.length > 0) for (const key of keys) cleared[key] = null
  }
  return cleared
}

/** Values that are each fine but cannot hold together. */
function findContradictions({ contextPruning, compaction }: ContextPolicy): InputIssue[] {
  const { softTrim } = contextPruning
  const rules: readonly [boolean, InputIssue][] = [
    [
      softTrim.headChars + softTrim.tailChars > softTrim.maxChars,
      contradiction('contextPruning.softTrim', 'headChars + tailChars at most maxChars', JSON.stringify(softTrim)),
    ],
    [
      contextPruning.softTrimRatio > contextPruning.hardClearRatio,
      contradiction('contextPruning.softTrimRatio', 'at most hardClearRatio', String(contextPruning.softTrimRatio)),
    ],
    [
      contextPruning.softTrimAfterTurns > contextPruning.hardClearAfterTurns,
      contradiction(
        'contextPruning.softTrimAfterTurns',
        'at most hardClearAfterTurns',
        String(contextPruning.softTrimAfterTurns),
      ),
    ],
    [
      compaction.preview !== null &&
        compaction.preview.resultHeadChars + compaction.preview.resultTailChars > compaction.preview.resultMaxChars,
      contradiction(
        'compaction.preview',
        'resultHeadChars + resultTailChars at most resultMaxChars',
        JSON.stringify(compaction.preview),
      ),
    ],
    [
      compaction.triggerRatio !== null &&
        compaction.keepRatio !== null &&
        compaction.keepRatio >= compaction.triggerRatio,
      contradiction('compaction.keepRatio', 'below triggerRatio', String(compaction.keepRatio)),
    ],
    [
      compaction.summaryWords !== null && compaction.summaryWords.min > compaction.summaryWords.max,
      contradiction('compaction.summaryWords', 'min at most max', JSON.stringify(compaction.summaryWords)),
    ],
    ...ONE_OF_GROUPS.map((names): [boolean, InputIssue] => {
      const keys = names.map((name) => name.slice('compaction.'.length))
      const isUnset = keys.every((key) => (compaction as unknown as Values)[key] === null)
      return [isUnset, contradiction(names[0] ?? '', `one of ${keys.join(', ')}`, 'none')]
    }),
  ]
  return rules.filter(([isBroken]) => isBroken).map(([, issue]) => issue)
}

function contradiction(path: string, expected: string, got: string): InputIssue {
  return { path, expected, got }
}

function unknownKey(path: string, key: string, known: readonly string[]): InputIssue {
  const suggestion = findNearestName(key, known)
  return { path, expected: 'a known key', got: 'an unknown one', ...(suggestion === undefined ? {} : { suggestion }) }
}

function reject<T>(issues: InputIssue[], issue: InputIssue, fallback: T): T {
  issues.push(issue)
  return fallback
}

function describe(value: unknown): string {
  if (typeof value !== 'object' && typeof value !== 'string') return String(value)
  const json = typeof value === 'string' ? `"${value}"` : textOf(value) || 'null'
  return json.length > 60 ? `${sliceHead(json, 57)}…` : json
}
