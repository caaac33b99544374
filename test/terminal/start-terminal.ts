import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { IPty } from '@lydell/node-pty'
import type { Terminal as Screen } from '@xterm/headless'

export interface ScreenPiece {
  readonly text: string
  /** Wide characters take two. */
  readonly columns: number
  /** One of the 16 colours of terminals; null: as the rest. */
  readonly colour: number | null
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isInverse: boolean
}

/** A program in a pseudo-terminal: keys in, screen out. */
export interface TestTerminal {
  /** The rows that are visible, without blanks at their ends. */
  readonly screen: () => string
  /** All rows, those scrolled away too. */
  readonly everything: () => string
  /** The rows that are visible as pieces of one look. */
  readonly picture: () => readonly (readonly ScreenPiece[])[]
  type(text: string): void
  resize(columns: number, rows: number): void
  /** Resolves with the screen once it shows this; rejects with the screen if it never does. */
  waitFor(wanted: string | RegExp | ((screen: string) => boolean)): Promise<string>
  /** The exit code, once the program has ended. */
  readonly ended: Promise<number>
  close(): Promise<void>
}

export interface TerminalOptions {
  readonly arguments: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
}

export const KEYS = {
  enter: '\r',
  tab: '\t',
  up: '\u001B[A',
  down: '\u001B[B',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlJ: '\n',
  ctrlO: '\u000F',
} as const

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/longhaul.js')
const WAIT_MS = 30_000

/** Starts `longhaul` as a user would. Throws where this machine has no pseudo-terminals. */
export function startTerminal(options: TerminalOptions): TestTerminal {
  const { columns = 80, rows = 24, environment = {} } = options
  const { spawn, Terminal } = loadParts()
  const screen = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5_000 })
  const { NO_COLOR: _noColor, FORCE_COLOR: _force, CI: _ci, ...inherited } = process.env
  const pty = spawn(process.execPath, [PROGRAM, ...options.arguments], {
    cols: columns,
    rows,
    name: 'xterm-256color',
    env: { ...inherited, TERM: 'xterm-256color', ...environment },
  })
  const listeners = new Set<() => void>()
  pty.onData((data) => screen.write(data, () => listeners.forEach((listener) => listener())))
  // Questions about the terminal are answered as a terminal does.
  screen.onData((data) => pty.write(data))
  const ended = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode }) => screen.write('', () => resolve(exitCode))),
  )
  const visible = (): string => readRows(screen, screen.buffer.active.baseY, screen.rows)

  return {
    screen: visible,
    everything: () => readRows(screen, 0, screen.buffer.active.length),
    picture: () =>
      Array.from({ length: screen.rows }, (_, row) => readPieces(screen, screen.buffer.active.baseY + row)),
    type: (text) => pty.write(text),
    resize(newColumns, newRows) {
      screen.resize(newColumns, newRows)
      pty.resize(newColumns, newRows)
    },
    waitFor: (wanted) => waitFor({ wanted, visible, listeners, ended }),
    ended,
    async close() {
      try {
        pty.kill('SIGKILL')
      } catch {
        // It has ended already.
      }
      await ended
      screen.dispose()
    },
  }
}

/** Why there are no pseudo-terminals here; null: there are. */
export function findTerminalProblem(): string | null {
  try {
    const { spawn } = loadParts()
    spawn(process.execPath, ['--version'], { cols: 80, rows: 24 }).kill('SIGKILL')
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

interface Parts {
  readonly spawn: (file: string, words: string[], options: object) => IPty
  readonly Terminal: new (options: object) => Screen
}

/** Both are CommonJS, and the first one is native: it is not there for every machine. */
function loadParts(): Parts {
  const require = createRequire(import.meta.url)
  const { spawn } = require('@lydell/node-pty') as Pick<Parts, 'spawn'>
  const { Terminal } = require('@xterm/headless') as Pick<Parts, 'Terminal'>
  return { spawn, Terminal }
}

function readRows({ buffer }: Screen, from: number, count: number): string {
  const rows = Array.from(
    { length: count },
    (_, index) => buffer.active.getLine(from + index)?.translateToString(true) ?? '',
  )
  return rows
    .map((row) => row.trimEnd())
    .join('\n')
    .trimEnd()
}

function readPieces({ buffer, cols }: Screen, row: number): readonly ScreenPiece[] {
  const pieces: ScreenPiece[] = []
  for (let column = 0; column < cols; column += 1) {
    const cell = buffer.active.getLine(row)?.getCell(column)
    // The second half of a wide character.
    if (cell === undefined || cell.getWidth() === 0) continue
    const look = {
      colour: cell.isFgDefault() ? null : cell.getFgColor(),
      isBold: cell.isBold() !== 0,
      isDim: cell.isDim() !== 0,
      isInverse: cell.isInverse() !== 0,
    }
    const text = cell.getChars() || ' '
    const last = pieces.at(-1)
    const columns = cell.getWidth()
    if (last === undefined || !isSameLook(last, look)) pieces.push({ text, columns, ...look })
    else pieces[pieces.length - 1] = { ...last, text: last.text + text, columns: last.columns + columns }
  }
  return pieces
}

type Look = Omit<ScreenPiece, 'text' | 'columns'>

function isSameLook(a: Look, b: Look): boolean {
  return a.colour === b.colour && a.isBold === b.isBold && a.isDim === b.isDim && a.isInverse === b.isInverse
}

interface Waiting {
  readonly wanted: string | RegExp | ((screen: string) => boolean)
  readonly visible: () => string
  readonly listeners: Set<() => void>
  readonly ended: Promise<number>
}

async function waitFor({ wanted, visible, listeners, ended }: Waiting): Promise<string> {
  const isThere = (screen: string): boolean =>
    typeof wanted === 'function'
      ? wanted(screen)
      : typeof wanted === 'string'
        ? screen.includes(wanted)
        : wanted.test(screen)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const look = (): void => {
    const screen = visible()
    if (isThere(screen)) resolve(screen)
  }
  const giveUp = (why: string): void => reject(new Error(`${why}: ${String(wanted)}\n${visible()}`))
  const timer = setTimeout(() => giveUp('This never came'), WAIT_MS)
  void ended.then((code) => setImmediate(() => giveUp(`The program ended with ${code} before this came`)))
  listeners.add(look)
  look()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    listeners.delete(look)
  }
}
