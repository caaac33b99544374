import type { ProgressResult, SpinnerResult } from '@clack/prompts'
import type { Invocation } from '../program/invocation.ts'

/** Long work shown while it happens. */
export interface Progress {
  /** `ofTotal` null: nobody knows how much there is. */
  at(done: number, ofTotal: number | null): void
  end(line: string): void
}

const LINE_EVERY_MS = 2_000

/** A bar on a terminal, now and then a plain line elsewhere; always on stderr. */
export async function startProgress({ options }: Invocation, title: string): Promise<Progress> {
  const isQuiet = options.json === true || !process.stderr.isTTY
  return isQuiet ? createLines(title) : createBar(title)
}

function createLines(title: string): Progress {
  let toldAt = performance.now()
  const tell = (line: string): void => void process.stderr.write(`${line}\n`)
  return {
    at(done, ofTotal) {
      if (performance.now() - toldAt < LINE_EVERY_MS) return
      toldAt = performance.now()
      tell(ofTotal === null ? `${title}: ${done}` : `${title}: ${done} of ${ofTotal}`)
    },
    end: tell,
  }
}

type Shown =
  | { readonly kind: 'wheel'; readonly bar: SpinnerResult }
  | { readonly kind: 'bar'; readonly bar: ProgressResult }

async function createBar(title: string): Promise<Progress> {
  const { progress, spinner } = await import('@clack/prompts')
  const output = process.stderr
  let shown: Shown | null = null
  let before = 0
  // At Ctrl-C the library ends the process as if all had been done.
  const fail = (): void => void (process.exitCode = 1)

  function start(ofTotal: number | null): Shown {
    const started: Shown =
      ofTotal === null
        ? { kind: 'wheel', bar: spinner({ output }) }
        : { kind: 'bar', bar: progress({ output, max: ofTotal }) }
    started.bar.start(title)
    process.once('exit', fail)
    return started
  }

  return {
    at(done, ofTotal) {
      shown ??= start(ofTotal)
      if (shown.kind === 'bar') shown.bar.advance(done - before, `${title}: ${done} of ${ofTotal}`)
      else shown.bar.message(`${title}: ${done}`)
      before = done
    },
    end(line) {
      process.off('exit', fail)
      if (shown === null) output.write(`${line}\n`)
      else shown.bar.stop(line)
    },
  }
}
