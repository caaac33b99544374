import { sliceHead, sliceTail } from '../../messages/slice-text.ts'
import type { MessageEntry } from '../../transcript/entry.ts'
import { redactSecrets } from '../redact-secrets.ts'

/** Blocks that programs put into user messages: reminders, notifications, outputs of local commands. */
const MACHINE_TAG = /<([a-z]{1,30}(?:[-_][a-z]{1,30}){1,3})>/g
const MACHINE_MESSAGE =
  /^\s*(?:<[a-z]{1,30}(?:[-_][a-z]{1,30}){1,3}>|\[request interrupted|caveat: the messages below|this session is being continued)/i
const FENCE = /^ {0,3}(?:```|~~~)/
/** Quotes, JSON, stack traces, tables drawn with lines: pasted, not written. */
const IS_DATA = /^\s{0,12}(?:>|[{[]\s?"|"[^"]{1,60}":|at \S{1,200} ?\(|at (?:async |file:|node:|\/)|[│┃┌├└╭╰])/
/** A line this long is pasted data. */
const MAX_LINE_CHARS = 4_000
const MAX_TAG_NAMES = 50

/** Texts longer than this are read at both ends only. */
const MAX_SCAN_CHARS = 200_000

export function sampleText(text: string): string {
  if (text.length <= MAX_SCAN_CHARS) return text
  return `${sliceHead(text, MAX_SCAN_CHARS * 0.6)}\n${sliceTail(text, MAX_SCAN_CHARS * 0.4)}`
}

/** What a message says, without tool traffic and without secrets: they must go before anything is cut out of the text. */
export function wordsOf({ parts }: MessageEntry): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return redactSecrets(sampleText(text.trim()))
}

/** Whether a message with the role `user` was written by a program (a notification, a note of an interruption). */
export function isMachineMade(text: string): boolean {
  return MACHINE_MESSAGE.test(text)
}

/** What was written in prose: without machine-made blocks, fenced code, quoted lines and lines no hand would type. */
export function proseOf(text: string): string {
  const lines: string[] = []
  let isFenced = false
  for (const line of withoutMachineBlocks(text).split('\n')) {
    if (FENCE.test(line)) isFenced = !isFenced
    else if (!isFenced && !IS_DATA.test(line) && line.length <= MAX_LINE_CHARS) lines.push(line)
  }
  return lines.join('\n')
}

export function withoutMachineBlocks(text: string): string {
  if (!text.includes('</')) return text
  const lastClose = new Map<string, number>()
  let kept = ''
  let from = 0
  for (const { 0: tag, 1: name = '', index } of text.matchAll(MACHINE_TAG)) {
    if (index < from || (lastClose.size >= MAX_TAG_NAMES && !lastClose.has(name))) continue
    const close = `</${name}>`
    const last = lastClose.get(name) ?? text.lastIndexOf(close)
    lastClose.set(name, last)
    if (last < index + tag.length) continue
    kept += `${text.slice(from, index)}\n`
    from = text.indexOf(close, index) + close.length
  }
  return kept + text.slice(from)
}
