// npm run bench:audit-sample -- [--seed N] [--count N] [--json]: losses of the development transcripts, to be judged by reading.
import { parseArgs } from 'node:util'
import { auditFiles } from './find-losses.ts'
import type { FoundLoss } from './find-losses.ts'
import { readSessions } from './sessions.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
})
const random = createRandom(Number(values.seed))
const files = await auditFiles(readSessions((line) => console.error(line)))
for (const { file, losses } of files) console.error(`${file}: ${losses.length} losses`)
const pools = files.map(({ losses }) => shuffle(losses))
const sample = draw(pools, Number(values.count))
if (values.json) console.log(JSON.stringify(sample, null, 2))
else for (const [number, loss] of sample.entries()) print(number + 1, loss)

/** One of each file in turn, so that a file with many losses does not speak for all. */
function draw(losses: readonly (readonly FoundLoss[])[], count: number): readonly FoundLoss[] {
  const rounds = Math.max(...losses.map(({ length }) => length))
  const turns = Array.from({ length: rounds }, (_, round) => losses.flatMap((list) => list.slice(round, round + 1)))
  return turns.flat().slice(0, count)
}

function print(number: number, { file, kind, text, saidAt, neededAt }: FoundLoss): void {
  console.log(`\n${number}. [${kind}] ${text}   (${file})`)
  console.log(`   said   ${saidAt.message} ${saidAt.by}: ${saidAt.excerpt}`)
  console.log(`   needed ${neededAt.message} ${neededAt.by}: ${neededAt.excerpt}`)
}

function shuffle<T>(list: readonly T[]): readonly T[] {
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
