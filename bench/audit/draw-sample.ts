// node bench/audit/draw-sample.ts [--seed N] [--count N] [--json]: losses of the development transcripts, for a person to judge.
import { parseArgs } from 'node:util'
import { auditSession } from '@longhaul/audit'
import type { AgentSession, LostFact } from '@longhaul/audit'
import { readSessions } from './sessions.ts'

interface Drawn extends LostFact {
  readonly file: string
  readonly session: string
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
})
const random = createRandom(Number(values.seed))
const byFile = new Map<string, Drawn[]>()
for (const session of readSessions((line) => console.error(line))) {
  const found = byFile.get(session.path) ?? []
  byFile.set(session.path, [...found, ...(await findLosses(session))])
}
for (const [file, found] of byFile) console.error(`${file}: ${found.length} losses`)
const sample = draw([...byFile.values()].map(shuffle), Number(values.count))
if (values.json) console.log(JSON.stringify(sample, null, 2))
else for (const [number, drawn] of sample.entries()) print(number + 1, drawn)

async function findLosses(session: AgentSession): Promise<readonly Drawn[]> {
  const { id, compactions } = await auditSession(session, { signal: new AbortController().signal })
  return compactions.flatMap(({ lost }) => lost.map((loss) => ({ file: session.path, session: id, ...loss })))
}

/** One of each file in turn, so that a file with many losses does not speak for all. */
function draw(files: readonly Drawn[][], count: number): readonly Drawn[] {
  const drawn: Drawn[] = []
  for (let round = 0; drawn.length < count && files.some((losses) => losses.length > round); round += 1) {
    for (const losses of files) drawn.push(...losses.slice(round, round + 1))
  }
  return drawn.slice(0, count)
}

function print(number: number, { file, kind, text, saidAt, neededAt }: Drawn): void {
  console.log(`\n${number}. [${kind}] ${text}   (${file})`)
  console.log(`   said   ${saidAt.message} ${saidAt.by}: ${saidAt.excerpt}`)
  console.log(`   needed ${neededAt.message} ${neededAt.by}: ${neededAt.excerpt}`)
}

function shuffle<T>(list: readonly T[]): T[] {
  return list
    .map((element) => ({ element, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ element }) => element)
}

/** The same numbers for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
