import { displayInput } from '@longhaul/runtime'
import type { Block } from '../chat/conversation/block.ts'
import { describeCall } from '../chat/describe-call.ts'
import { formatNumber } from '../terminal/format.ts'
import { cleanText, fitText, guardTerminal, showText, wrapText } from '../terminal/text-width.ts'
import type { CardOptions } from './card-options.ts'
import { renderResult } from './render-result.ts'

export interface BlockOptions extends CardOptions {
  /** Tool calls with all they were given and all they gave. */
  readonly isUnfolded: boolean
}

/** A block as plain lines. Replies come as they were written: drawing Markdown is the screen's business. */
export function renderBlock(block: Block, options: BlockOptions): readonly string[] {
  const { width, paint } = options
  switch (block.kind) {
    case 'user':
      return wrapText(cleanText(block.text), width - 2).map(
        (line, index) => `${paint.cyan(index === 0 ? '❯' : ' ')} ${paint.bold(line)}`,
      )
    case 'assistant':
      return wrapText(cleanText(block.text), width)
    case 'reasoning':
      return wrapText(cleanText(block.text), width).map(paint.dim)
    case 'tool':
      return renderTool(block, options)
    case 'notice':
      return wrapText(cleanText(block.text), width - 2).map((line, index) => {
        const { mark, colour } = TONES[block.tone]
        return `${paint[colour](index === 0 ? mark : ' ')} ${paint[colour](line)}`
      })
    case 'result':
      return renderResult(block.result, options).flatMap((line) => wrapText(guardTerminal(line), width))
    default:
      return block satisfies never
  }
}

const TONES = {
  info: { mark: '·', colour: 'dim' },
  good: { mark: '✓', colour: 'green' },
  warning: { mark: '!', colour: 'yellow' },
  error: { mark: '✗', colour: 'red' },
} as const

const MAX_OUTPUT_LINES = 200

function renderTool(
  { name, input, output, isError, isTruncated }: Extract<Block, { kind: 'tool' }>,
  { width, paint, isUnfolded }: BlockOptions,
): readonly string[] {
  const colour = output === null ? paint.yellow : isError ? paint.red : paint.green
  const mark = output === null ? '○' : isError ? '✗' : '●'
  const size = output === null ? '' : ` (${formatNumber(output.length)} characters${isTruncated ? ', cut' : ''})`
  const arrow = isUnfolded ? '▾' : '▸'
  const head = `${colour(mark)} ${paint.dim(arrow)} ${fitText(describeCall(name, input), width - 4 - size.length)}${paint.dim(size)}`
  if (!isUnfolded) return [fitText(head, width)]
  const given = displayInput(input).flatMap((line) => wrapText(showText(line), width - 4))
  if (output === null) return [fitText(head, width), ...given.map((line) => `    ${line}`)]
  const lines = wrapText(showText(output), width - 4)
  const rest = lines.length - MAX_OUTPUT_LINES
  return [
    fitText(head, width),
    ...given.map((line) => `    ${line}`),
    ...lines.slice(0, MAX_OUTPUT_LINES).map((line) => paint.dim(`    ${line}`)),
    ...(rest > 0 ? [paint.dim(`    … ${formatNumber(rest)} more lines`)] : []),
  ]
}
