import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContextPolicy } from '@longhaul/engine/advanced'
import { replay } from '../replay.ts'
import { choosing } from '../summarisers.ts'
import type { MeasuredConversation } from './data.ts'
import { createMeasure } from './measure.ts'
import type { Run } from './measure.ts'

const FOLDER = join(tmpdir(), 'longhaul-bench-runs')
const ROOT = join(import.meta.dirname, '../../..')
const SOURCES = ['packages/engine/src', 'packages/replay/src', 'bench/retention']

/** Replays a conversation under a policy, or gives what came out of that before. */
export type RunPolicy = (
  conversation: MeasuredConversation,
  policy: ContextPolicy,
  windowTokens: number,
) => Promise<Run>

/** Runs are kept by everything that they depend on: the sources, the conversation, the policy and the window. */
export function createRunner(): RunPolicy {
  const sources = hashSources()
  const hashes = new WeakMap<MeasuredConversation, string>()
  mkdirSync(FOLDER, { recursive: true })
  return async (conversation, policy, windowTokens) => {
    const said = hashes.get(conversation) ?? hashOf(JSON.stringify(conversation.messages))
    hashes.set(conversation, said)
    const file = join(FOLDER, `${hashOf(JSON.stringify([sources, said, policy, windowTokens]))}.json`)
    const known = readRun(file)
    if (known !== null) return known
    const measure = createMeasure(conversation)
    const options = { policy, windowTokens, ask: choosing.ask, compactAt: NEVER, pins: [] }
    const { compactions } = await replay(conversation, options, measure)
    const run = measure.finish(compactions)
    writeFileSync(file, JSON.stringify(run))
    return run
  }
}

const NEVER: ReadonlySet<number> = new Set()

function readRun(file: string): Run | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Run
  } catch {
    return null
  }
}

function hashSources(): string {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const hash = createHash('sha256')
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).toSorted())
    hash.update(file).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
