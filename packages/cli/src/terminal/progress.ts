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

async function createBar(title: string): Promise<Progress> {
  const { progress, spinner } = await import('@clack/prompts')
  const output = process.stderr
  let bar: ReturnType<typeof progress> | null = null
  let shown = 0
  const wheel = spinner({ output })
  wheel.start(title)
  return {
    at(done, ofTotal) {
      if (ofTotal === null) {
        wheel.message(`${title}: ${done}`)
        return
      }
      if (bar === null) {
        wheel.clear()
        bar = progress({ output, max: ofTotal })
        bar.start(title)
      }
      bar.advance(done - shown, `${title}: ${done} of ${ofTotal}`)
      shown = done
    },
    end(line) {
      if (bar === null) wheel.stop(line)
      else bar.stop(line)
    },
  }
}
