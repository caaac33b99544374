import { createPaint } from './paint.ts'
import type { Paint } from './paint.ts'
import { guardTerminal } from './text-width.ts'

/** Where words go: results to stdout, all else to stderr. */
export interface Output {
  /** Somebody sits before it. */
  readonly isTerminal: boolean
  readonly width: number
  readonly paint: Paint
  /** One line of the result. */
  print(line: string): void
  /** A piece of the result, without a line feed. */
  write(text: string): void
  /** One line about it. */
  note(line: string): void
}

const DEFAULT_WIDTH = 80
/** Nothing is cut or wrapped for a program that reads it. */
const PIPE_WIDTH = 10_000

export function createOutput(environment: NodeJS.ProcessEnv = process.env): Output {
  const { stdout, stderr } = process
  // A pipe gets every byte; a terminal is not steered by what models, tools and files say.
  const tell = (stream: NodeJS.WriteStream, text: string): void =>
    void stream.write(stream.isTTY ? guardTerminal(text) : text)
  return {
    isTerminal: stdout.isTTY,
    // Not told by every terminal; 0 by some.
    width: stdout.isTTY ? stdout.columns || DEFAULT_WIDTH : PIPE_WIDTH,
    paint: createPaint(hasColour(environment)),
    print: (line) => tell(stdout, `${line}\n`),
    write: (text) => tell(stdout, text),
    note: (line) => tell(stderr, `${line}\n`),
  }
}

/** As https://no-color.org and the usual FORCE_COLOR have it. */
function hasColour({ NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return process.stdout.isTTY && TERM !== 'dumb'
}
