import type { CommandResult } from '@longhaul/runtime'
import { formatNumber, formatTime, shortId } from '../terminal/format.ts'
import { renderTable } from '../terminal/table.ts'
import { cleanText, oneLine, wrapText } from '../terminal/text-width.ts'
import type { CardOptions } from './card-options.ts'
import { renderContext } from './render-context.ts'
import { renderStatus } from './render-status.ts'

type ResultOf<Name extends CommandResult['command']> = Extract<CommandResult, { readonly command: Name }>

/** What a slash command found or did, for people. */
export function renderResult(result: CommandResult, options: CardOptions): readonly string[] {
  switch (result.command) {
    case 'status':
      return renderStatus(result.status, options)
    case 'context':
      return result.form === 'json'
        ? JSON.stringify(result.report, null, 2).split('\n')
        : renderContext(result.report, result.form, options)
    case 'compact':
      return [describeCompaction(result)]
    case 'undo':
      return [describeUndo(result)]
    case 'new':
      return [`A new session begins: ${result.session.id}`]
    case 'reset':
      return ['The context is empty. The transcript stays, and /recall finds what was said.']
    case 'model':
      return renderChoice(result.model, result.choices, result.didChange ? 'The model is now' : 'The model is', options)
    case 'preset': {
      const words = result.didChange ? 'The preset is now' : 'The preset is'
      return renderChoice(result.preset ?? 'as configured', result.choices, words, options)
    }
    case 'pin':
      return [`Pinned: it stands in every request from now on. /pins shows all.`]
    case 'pins':
      return renderPins(result, options)
    case 'unpin':
      return [`Pin ${result.number} is gone: ${oneLine(result.text)}`]
    case 'recall':
      return renderRecall(result, options)
    case 'memory':
      return renderMemory(result, options)
    case 'left-to-host':
      return [
        `Stored. It will be applied at the next call of ${oneLine(result.origin)}, which keeps this conversation.`,
      ]
    case 'help':
      return renderHelp(result, options)
    default:
      return result satisfies never
  }
}

function describeCompaction({ tokensBefore, tokensAfter, score }: ResultOf<'compact'>): string {
  const saved = tokensBefore === 0 ? 0 : Math.round((1 - tokensAfter / tokensBefore) * 100)
  const quality = score === null ? '' : `, ${Math.round(score * 100)}% of the facts carried over`
  return `Compacted: ${formatNumber(tokensBefore)} → ${formatNumber(tokensAfter)} tokens (−${saved}%)${quality}. /undo takes it back.`
}

function describeUndo({ undone, tokens }: ResultOf<'undo'>): string {
  const now = tokens === null ? '' : `; the context holds ${formatNumber(tokens)} tokens again`
  return undone.length === 1 ? `The last compaction is undone${now}.` : `${undone.length} compactions are undone${now}.`
}

function renderChoice(
  current: string,
  choices: readonly string[],
  words: string,
  { paint }: CardOptions,
): readonly string[] {
  const others = choices.filter((choice) => choice !== current)
  return [`${words} ${paint.bold(current)}.`, ...others.map((choice) => `  ${choice}`)]
}

function renderPins({ pins }: ResultOf<'pins'>, { width }: CardOptions): readonly string[] {
  if (pins.length === 0) return ['Nothing is pinned. /pin TEXT keeps words in every request.']
  return pins.flatMap(({ number, text }) => wrapText(`${number}. ${cleanText(text)}`, width))
}

/** Nothing of it is cut: whoever reads this wants to know. */
function renderHelp({ commands }: ResultOf<'help'>, { width }: CardOptions): readonly string[] {
  const columns = Math.max(...commands.map(({ usage }) => usage.length)) + 2
  return commands.flatMap(({ usage, summary }) =>
    wrapText(summary, Math.max(20, width - columns)).map((line, index) =>
      index === 0 ? usage.padEnd(columns) + line : ' '.repeat(columns) + line,
    ),
  )
}

const MAX_RECALLED_LINES = 12

function renderRecall({ query, found }: ResultOf<'recall'>, { width, paint }: CardOptions): readonly string[] {
  if (found.length === 0) return [`Nothing was said about “${oneLine(query)}”.`]
  return found.flatMap(({ id, at, role, text }) => {
    const lines = wrapText(cleanText(text), width - 2)
    const shown = lines.slice(0, MAX_RECALLED_LINES)
    const rest = lines.length - shown.length
    return [
      paint.dim(`${formatTime(at)} · ${role} · ${shortId(id)}`),
      ...shown.map((line) => `  ${line}`),
      ...(rest === 0 ? [] : [paint.dim(`  … ${rest} more lines`)]),
    ]
  })
}

function renderMemory({ query, files, hits }: ResultOf<'memory'>, options: CardOptions): readonly string[] {
  if (query === '') return files.length === 0 ? ['Nothing has been saved to memory yet.'] : files.map(oneLine)
  if (hits.length === 0) return [`Memory has nothing about “${oneLine(query)}”.`]
  const notes = renderTable(
    [{ title: '' }, { title: '', isFlexible: true }],
    hits.map(({ document, line, text }) => [oneLine(`${document}:${line}`), oneLine(text)]),
    options,
  )
  return hits.every(({ trusted }) => trusted)
    ? notes
    : [...notes, ...wrapText(ABOUT_UNTRUSTED, options.width).map(options.paint.dim)]
}

const ABOUT_UNTRUSTED =
  'Notes that begin with “Not from the user” were written down while pages, files or results of tools were read. Models get them as data, never as instructions. Delete those words in the file to make a note yours.'
