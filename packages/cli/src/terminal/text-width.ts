// One file of the terminal library by itself: all of it takes too long to load for a command that prints a table.
import {
  stripTerminalSequences,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from '@earendil-works/pi-tui/dist/utils.js'
import { showPrinted } from '@longhaul/engine/display'

/** Commands to a terminal, whole: `CSI … letter`, `OSC … BEL`, and escape with one character. */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /\u001B(?:\[[0-?]{0,64}[ -/]{0,16}[@-~]|[\]PX^_][^\u0007\u001B]{0,4096}(?:\u0007|\u001B\\)|[ -/]{0,4}[0-Z\\`-~])/g

/** Prose without escape sequences and control characters: words of models must not steer the terminal. */
export function cleanText(text: string): string {
  return text
    .replaceAll(SEQUENCE, '')
    .replaceAll('\t', '    ')
    .replaceAll(/(?!\n)\p{Cc}/gu, '')
}

/** A call, or what a tool printed: hidden characters are made visible, because somebody judges by what they see. */
export function showText(text: string): string {
  return showPrinted(text).replaceAll('\t', '    ')
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const COLOUR_OR_CONTROL = /\u001B\[[\d;:]{0,64}m|(?![\n\t])\p{Cc}/gu

/** The last gate before a terminal: colours may pass, every other control character is written out. */
export function guardTerminal(text: string): string {
  return text.replaceAll(COLOUR_OR_CONTROL, (found) => (found.length > 1 ? found : showPrinted(found)))
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
