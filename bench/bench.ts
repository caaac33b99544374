import type { Goal } from './report/goal.ts'
import type { Table } from '@longhaul/replay'

interface BenchOptions {
  /** Fewer runs and no slow peers: a look, not a result to quote. */
  readonly isQuick: boolean
  /** Kinds of conversations and windows, for benches that can be limited to some; left out: all. */
  readonly kinds?: readonly string[] | undefined
  readonly windows?: readonly number[] | undefined
  /** One line about what is going on. */
  readonly note: (line: string) => void
}

export interface BenchReport {
  readonly tables: readonly Table[]
  readonly goals: readonly Goal[]
  /** The numbers behind the tables, as plain JSON. */
  readonly numbers: unknown
}

/** Registered in run.ts under its name. It measures and reports; a goal that is missed does not fail it. */
export interface Bench {
  readonly name: string
  readonly about: string
  run(options: BenchOptions): Promise<BenchReport>
}
