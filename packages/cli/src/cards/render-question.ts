import { formatNumber } from '../terminal/format.ts'
import { showText, wrapText } from '../terminal/text-width.ts'
import type { CardOptions } from './card-options.ts'

/** More lines than these would push the conversation off the screen. */
const MAX_LINES = 40
const TAIL_LINES = 12

/** A call that somebody must allow: all that `display` says, wrapped; where lines are left out, it says so and where they are. */
export function renderQuestion(display: string, { width, paint }: CardOptions): readonly string[] {
  const [head = '', ...rest] = showText(display).split('\n')
  const lines = [
    ...hang(`? Allow ${head}`, 2, width),
    // Wrapped lines hang below their value: at the margin they could pass for another one.
    ...rest.flatMap((line) => hang(line, 6, width)),
  ]
  const hidden = lines.length - MAX_LINES
  const shown =
    hidden <= 0
      ? lines
      : [
          ...lines.slice(0, MAX_LINES - TAIL_LINES),
          `  … ${formatNumber(hidden)} lines are not shown here: Ctrl-O unfolds the call, with all of them`,
          ...lines.slice(-TAIL_LINES),
        ]
  return [...shown.map(paint.yellow), paint.dim('  type y or n, then Enter')]
}

function hang(line: string, indent: number, width: number): readonly string[] {
  const [first = '', ...more] = wrapText(line, Math.max(10, width - indent))
  return [first, ...more.map((next) => `${' '.repeat(indent)}${next}`)]
}
