const NUMBER = '\\d+(?:,\\d{3})*(?:\\.\\d+)?'
const UNITS =
  'ms|secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|months?|years?|kb|mb|gb|tb|kib|mib|gib|bytes?|px|km|kg|cm|mm|miles?|kcal|°c|°f'

/** What needs no second figure to mean something. */
const MARKED: readonly RegExp[] = [
  new RegExp(`[$€£¥]\\s?${NUMBER}`, 'g'),
  new RegExp(`(?<![\\w.,])${NUMBER}\\s?(?:%|usd|eur|gbp|dollars?|euros?)(?!\\w)`, 'gi'),
  /(?<![\w.])v?\d+\.\d+\.\d+(?:[-+][\w.]*\w)?(?![\w.])/g,
  /(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])/g,
  /(?<![\d,.])\d[\d,.]*\s?(?:个|条|元|块|岁|天|年|月|日|小时|分钟|次|本|公里)/g,
]

/** Counts and measures: one figure alone (2 files, 3 s) is said too often to mean the same thing. */
const COUNTED: readonly RegExp[] = [
  new RegExp(`(?<![\\w.,-])${NUMBER}\\s?(?:${UNITS})(?!\\w)`, 'gi'),
  new RegExp(`(?<![\\w.,:-])${NUMBER} [a-z]{3,}s(?!\\w)`, 'gi'),
]
const LINE_NUMBER = /^[ \t]*\d+(?:→|\t|\||:|-)/gm

/** Numbers with a unit or a noun, amounts, percentages, versions, dates. Line numbers that tools print are none. */
export function findFigures(text: string): readonly string[] {
  const prose = text.replaceAll(LINE_NUMBER, '')
  const marked = MARKED.flatMap((pattern) => [...prose.matchAll(pattern)].map(([figure]) => figure))
  const counted = COUNTED.flatMap((pattern) => [...prose.matchAll(pattern)].map(([figure]) => figure))
  return [...marked, ...counted.filter((figure) => figure.replaceAll(/\D/g, '').length >= 2)]
}
