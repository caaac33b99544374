import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import type { Goal } from '../report/goal.ts'
import { auditFiles } from './find-losses.ts'
import type { AuditedFile } from './find-losses.ts'
import { measureGigabyte } from './measure-gigabyte.ts'
import type { GigabyteRun } from './measure-gigabyte.ts'
import { readSessions } from './sessions.ts'

/** Losses that were read one by one, with a verdict on each. Drawn by `npm run bench:audit-sample -- --seed N`. */
interface Sample {
  readonly drawn: string
  readonly seed: number
  readonly losses: readonly {
    readonly file: string
    readonly session: string
    readonly text: string
    readonly isReal: boolean
  }[]
}

const MIN_REAL_SHARE = 0.9
const GIGABYTE = 1_000_000_000
const MAX_SECONDS = 60
const MAX_PEAK_BYTES = 500_000_000

export const auditBench: Bench = {
  name: 'audit',
  about:
    'what compactions lost, by the measure of the audit, how much of a sample was found to be real by reading it, and how long a gigabyte takes',
  async run({ isQuick, note }) {
    const sample = JSON.parse(readFileSync(join(import.meta.dirname, 'sample.json'), 'utf8')) as Sample
    const run = await measureGigabyte(isQuick ? GIGABYTE / 20 : GIGABYTE)
    const files = await auditFiles(readSessions(note))
    const rows = files.map(describeFile)
    return {
      tables: [{ title: 'Audit', columns: COLUMNS, rows }],
      goals: [...checkSample(sample, files), ...checkSpeed(run, isQuick)],
      numbers: { rows, run },
    }
  },
}

const COLUMNS = ['transcript', 'compactions', 'facts', 'needed', 'lost', 'with Longhaul', 'fetched again', 's']

function describeFile({ file, audits, ms }: AuditedFile): readonly string[] {
  const compactions = audits.flatMap((audit) => audit.compactions)
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
  const refetched = compactions.flatMap((compaction) => compaction.refetched.map(({ tokens }) => tokens ?? 0))
  const counts = [
    compactions.length,
    sum(compactions.map(({ facts }) => facts)),
    sum(compactions.map(({ needed }) => needed)),
    sum(compactions.map(({ lost }) => lost.length)),
    sum(audits.map(({ withLonghaul }) => withLonghaul?.lost ?? 0)),
    sum(refetched),
  ]
  return [file, ...counts.map((count) => count.toLocaleString('en')), (ms / 1_000).toFixed(1)]
}

/** Verdicts stay true for what they were given on; whether the measure still finds those losses tells how old they are. */
function checkSample({ losses, seed, drawn }: Sample, files: readonly AuditedFile[]): readonly Goal[] {
  const real = losses.filter(({ isReal }) => isReal).length
  const found = new Set(files.flatMap((file) => file.losses.map((loss) => `${loss.file} ${loss.session} ${loss.text}`)))
  const still = losses.filter(({ file, session, text }) => found.has(`${file} ${session} ${text}`)).length
  return [
    {
      name: `of a sample of losses, at least ${MIN_REAL_SHARE * 100} % are real`,
      isHeld: real >= losses.length * MIN_REAL_SHARE,
      measured: `${real} of ${losses.length}, read on ${drawn}, seed ${seed}`,
    },
    {
      name: 'the losses of the sample are still found',
      isHeld: files.length === 0 ? null : still === losses.length,
      measured: files.length === 0 ? 'the transcripts are not here' : `${still} of ${losses.length}`,
    },
  ]
}

function checkSpeed(run: GigabyteRun | null, isQuick: boolean): readonly Goal[] {
  const measured =
    run === null
      ? 'the transcripts are not here'
      : `${run.files} files of ${Math.round(run.bytes / 1_000_000)} MB with ${run.compactions} compactions in ${run.seconds.toFixed(1)} s (${run.processorSeconds.toFixed(1)} s of processor time), ${Math.round(run.peakBytes / 1_000_000)} MB at most`
  const isHeld = run === null || isQuick ? null : run.seconds < MAX_SECONDS && run.peakBytes < MAX_PEAK_BYTES
  return [{ name: `a gigabyte of sessions in ${MAX_SECONDS} s and 500 MB`, isHeld, measured }]
}
