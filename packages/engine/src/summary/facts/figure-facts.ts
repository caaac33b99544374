import type { AddMention } from './fact-collector.ts'
import type { Said } from './reference-facts.ts'

const NUMBER = String.raw`\d{1,15}(?:[.,:]\d{1,9}){0,4}`
const MONTH = String.raw`(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}`
const CJK_UNIT = String.raw`\s?[\u4e00-\u9fff\u3040-\u30ff]{1,4}`
/** `left-pad@1.3.0`: behind an @ a version is a figure; other numbers there belong to an address. */
const PACKAGE_VERSION = String.raw`(?<=\w@)v?\d{1,6}\.\d{1,6}\.\d{1,9}(?!\.?\d)(?:[-+][\w.]{1,30})?`
const FIGURE = new RegExp(
  String.raw`${PACKAGE_VERSION}|(?<![\w.#/$€£¥@-])(?:` +
    [
      String.raw`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?`,
      String.raw`${MONTH}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?`,
      String.raw`v?\d{1,6}\.\d{1,6}\.\d{1,9}(?:[-+][\w.]{1,30})?`,
      String.raw`v\d{1,6}(?:\.\d{1,6})?`,
      String.raw`[$€£¥]\s?${NUMBER}(?:\s?(?:million|billion|thousand|[kKmMbB]n?)(?!\w))?`,
      String.raw`[~≈<>≤≥+-]?${NUMBER}\s?(?:%|€|°C?|[a-zA-Zµ]{1,3}\/[a-z]{1,6}(?!\w))`,
      String.raw`${NUMBER} (?:of|out of|von|sur|de) ${NUMBER}(?: [A-Za-z]{2,20})?`,
      String.raw`${NUMBER}\s?[x×]\s?${NUMBER}`,
      String.raw`${NUMBER}${CJK_UNIT}`,
      String.raw`[~≈<>≤≥+-]?${NUMBER}[ -]?(?:[ap]\.?m\.?(?!\w)|\p{L}[\p{L}/-]{0,24})`,
      String.raw`${NUMBER}`,
    ].join('|') +
    ')',
  'gu',
)
/** A number alone says nothing; with the word before it ("port 8080") it may. */
const NAMED_BEFORE =
  /(?<![\w/.:])([\p{L}_][\p{L}\w_-]{1,30})(?:\s(?:is|are|of|to|at|=|:|ist|auf|est|es)\s|[:=]\s|=|\s)\*{0,2}$/u
const NOT_A_NAME =
  /^(?:and|or|the|a|an|in|on|by|for|with|from|than|then|that|this|und|oder|et|ou|y|step|option|item|phase|point|number)$/i
/** Places in texts and plans, which move on: no measure of anything. */
const IS_PLACE_BEFORE =
  /\b(?:lines?|steps?|options?|tasks?|phases?|sections?|chapters?|parts?|wp|page|zeile|schritt|ligne|étape|línea|paso)\s{1,2}\*{0,2}$/i
const IS_SMALL_TALK =
  /^[01] |^\d{1,2}[ -]?(?:st|nd|rd|th|and|or|is|are|was|to|in|on|the|a|of|for|with|if|as|at|by|more|other|different|main|key|things?|ways?|more)$/i
const IS_LIST_START = /(?:^|\n)[ \t>*-]{0,12}$/
const BEFORE_CHARS = 28
const AFTER_CHARS = 16

/** Figures in what a person or a model wrote: number, unit, and the words they stood in. List numbering is not a figure. */
export function collectFigures({ text, by, entry }: Said, maxFigures: number, add: AddMention): void {
  for (const [figure, words] of findFigures(text, maxFigures))
    add({ kind: 'figure', text: figure, note: words, by, entry })
}

const DATE = /(?<![\w.#/-])\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?![\w-])/g
const MAX_DATES = 10

/** Days in traffic with tools. Of what a program printed only those that come up elsewhere: logs are full of them. */
export function collectDates({ text, by, entry }: Said, add: AddMention): void {
  const dates = new Map<string, string>()
  for (const { 0: date, index } of text.matchAll(DATE)) {
    if (!dates.has(date)) dates.set(date, wordsAround(text, index, index + date.length))
    if (dates.size >= MAX_DATES) break
  }
  for (const [date, words] of dates)
    add({ kind: 'figure', text: date, note: words, by, entry, isPassing: by === 'tool' })
}

const SUMS_UP =
  /\b\d[\d.,]{0,12}\s?(?:%|ms|s|sec|seconds|minutes|[KMG]i?B|passed|passing|failed|failures?|failing|tests?|skipped|files?|errors?|warnings?|problems?|rows?|lines?|items?|total|insertions?|deletions?|packages?)(?![\w/])|\bv?\d{1,4}\.\d{1,4}\.\d{1,6}\b|\b(?:total|coverage|score|accuracy|duration|elapsed|time|size|count|version|sum|average|median)\b\W{1,4}\d/i
const IS_CODE = /[{};]|=>|^(?:import|const|let|var|def|return|if|at)\b|\berror\b[: ][A-Z]/
const MAX_RESULT_LINES = 4
const MAX_LINE_FIGURES = 4

/** Of what a tool printed, the last lines that sum up: their figures are the result, the line is what they mean. */
export function collectResultFigures({ text, by, entry }: Said, add: AddMention): void {
  const lines = text
    .split('\n')
    .filter(
      (line) => line.length >= 6 && line.length <= 160 && /\d/.test(line) && SUMS_UP.test(line) && !IS_CODE.test(line),
    )
  for (const line of lines.slice(-MAX_RESULT_LINES)) {
    const words = line.replace(/\s+/g, ' ').trim()
    for (const [figure] of findFigures(words, MAX_LINE_FIGURES))
      add({ kind: 'figure', text: figure, note: words, by, entry })
  }
}

function findFigures(text: string, maxFigures: number): ReadonlyMap<string, string> {
  const figures = new Map<string, string>()
  if (!/\d/.test(text)) return figures
  for (const { 0: match, index } of text.matchAll(FIGURE)) {
    const figure = match.trim()
    const end = index + match.length
    const before = text.slice(Math.max(0, index - 14), index)
    const isListMark = IS_LIST_START.test(before) && /^\d{1,3}$/.test(figure) && /^[.):]/.test(text.slice(end, end + 1))
    if (isListMark || IS_PLACE_BEFORE.test(before)) continue
    const isNameless = /^[\d.,:]+$/.test(figure) && text[index - 1] !== '@'
    const named = isNameless ? nameBefore(text, index, figure) : figure
    if (named === null || figures.has(named) || IS_SMALL_TALK.test(named)) continue
    figures.set(named, wordsAround(text, index, end))
    if (figures.size >= maxFigures) break
  }
  return figures
}

function nameBefore(text: string, index: number, figure: string): string | null {
  const before = text.slice(Math.max(0, index - 45), index)
  const match = NAMED_BEFORE.exec(before.slice(before.lastIndexOf('\n') + 1))
  if (match === null || NOT_A_NAME.test(match[1] ?? '')) return null
  return `${match[0].replace(/\*/g, '').trimStart()}${figure}`
}

/** Cut at word ends, on one line, without the marks of Markdown. */
function wordsAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - BEFORE_CHARS), start)
  const head = before.slice(lastBreak(before))
  const lead = head.length === BEFORE_CHARS ? head.slice(head.indexOf(' ') + 1) : head
  const after = text.slice(end, end + AFTER_CHARS)
  const tail = after.slice(0, Math.max(0, after.search(/[\n;,)。！？；，]|[.!?](?:\s|$)|$/)))
  const trail = tail.length === AFTER_CHARS ? tail.slice(0, tail.lastIndexOf(' ')) : tail
  return `${lead}${text.slice(start, end)}${trail}`
    .replace(/[*`|#"]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^\s{0,4}\d{1,3}[.)]\s|^[\s,.:;)-]{1,20}/, '')
    .trim()
}

/** Where the last sentence or line before the end of the text begins. */
function lastBreak(text: string): number {
  let start = 0
  for (const { 0: match, index } of text.matchAll(/\n|[.!?;]\s|[。！？；]/g)) start = index + match.length
  return start
}
