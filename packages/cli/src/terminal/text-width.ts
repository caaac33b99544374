// One file of the terminal library by itself: all of it takes too long to load for a command that prints a table.
import {
  stripTerminalSequences,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from '@earendil-works/pi-tui/dist/utils.js'

/** Without escape sequences and control characters: words of models and tools must not steer the terminal. */
export function cleanText(text: string): string {
  return stripTerminalSequences(text)
    .replaceAll('\t', '    ')
    .replaceAll(/(?!\n)\p{Cc}/gu, '')
}

/** On one line. */
export function oneLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, ' ').trim()
}

/** Cut to so many columns, with a mark where something is missing. */
export function fitText(text: string, columns: number): string {
  const cut = truncateToWidth(text, Math.max(0, columns), '…')
  // The library ends every cut with a reset; plain text stays plain.
  return text.includes('\u001B') ? cut : stripTerminalSequences(cut)
}

export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - visibleWidth(text)))
}

export function padTextStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - visibleWidth(text))) + text
}

export function wrapText(text: string, columns: number): readonly string[] {
  return wrapTextWithAnsi(text, Math.max(1, columns))
}

export function textWidth(text: string): number {
  return visibleWidth(text)
}
