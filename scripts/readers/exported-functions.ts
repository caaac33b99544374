import { blankComments, lineAt } from '../arrows/read-imports.ts'

export interface ExportedFunction {
  readonly name: string
  readonly line: number
  /** The type of each parameter as it is written; `''` where none is written. */
  readonly parameterTypes: readonly string[]
}

// The formatter puts every export at the start of a line, so text in strings is not mistaken for one.
const FUNCTION = /^export (?:default )?(?:async )?function\s*\*?\s*([\w$]+)/gm
const ARROW = /^export const ([\w$]+)(?::[^=\n]+)? =\s*(?:async\s*)?(?=\(|<)(?=[^\n]*=>|\(\s*$|[^\n]*\($)/gm
const LONE_ARROW = /^export const ([\w$]+) =\s*(?:async )?[\w$]+ =>/gm
const CLASS = /^export (?:abstract )?class ([\w$]+)/gm
const LATER = /^export (?:default ([\w$]+)|\{([^}]*)\})(?!\s*from)/gm

/**
 * Every function and class that a source text exports, by a scan of the text. A class counts with its constructor's
 * parameters, a function that is exported by a later `export { name }` as one whose types are unknown.
 */
export function findExportedFunctions(source: string): readonly ExportedFunction[] {
  const text = blankComments(source)
  const found: ExportedFunction[] = []
  for (const match of [...text.matchAll(FUNCTION), ...text.matchAll(ARROW)]) {
    const open = text.indexOf('(', match.index + match[0].length)
    found.push(describe(text, match, open < 0 ? [''] : readTypes(text, open)))
  }
  for (const match of text.matchAll(LONE_ARROW)) found.push(describe(text, match, ['']))
  for (const match of text.matchAll(CLASS)) {
    const end = text.indexOf('\n}', match.index)
    const at = text.indexOf('constructor(', match.index)
    found.push(describe(text, match, at < 0 || at > end ? [] : readTypes(text, at + 'constructor'.length)))
  }
  for (const match of text.matchAll(LATER)) {
    const names = (match[1] ?? match[2] ?? '').split(',').map((name) => name.trim().replace(/^.* as /, ''))
    for (const name of names.filter((one) => one !== '' && !one.startsWith('type ')))
      found.push({ name, line: lineAt(text, match.index), parameterTypes: [''] })
  }
  return found.toSorted((a, b) => a.line - b.line)
}

function describe(text: string, match: RegExpExecArray, parameterTypes: readonly string[]): ExportedFunction {
  return { name: match[1] ?? '', line: lineAt(text, match.index), parameterTypes }
}

/** The types of the parameters in the brackets that open at this place. */
function readTypes(text: string, open: number): readonly string[] {
  return splitTopLevel(text, open + 1)
    .map((parameter) => parameter.trim())
    .filter((parameter) => parameter !== '')
    .map(typeOf)
}

/** Parts between commas up to the closing bracket; commas inside brackets, braces and angles do not part. */
function splitTopLevel(text: string, start: number): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let from = start
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if ('([{<'.includes(char)) depth += 1
    else if (char === '>' && text[at - 1] === '=') continue
    else if (')]}>'.includes(char)) depth -= 1
    if (depth < 0 || (depth === 0 && char === ',')) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
    if (depth < 0) break
  }
  return parts
}

/** What stands behind the colon of a parameter, without its default; a default alone tells its type by its form. */
function typeOf(parameter: string): string {
  let depth = 0
  for (let at = 0; at < parameter.length; at += 1) {
    const char = parameter[at] ?? ''
    if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth -= 1
    else if (depth === 0 && char === ':') return parameter.slice(at + 1).trim()
    else if (depth === 0 && char === '=')
      return /^\s*(?:-?[\d_.]+|true|false)\s*$/.test(parameter.slice(at + 1)) ? 'number' : ''
  }
  return ''
}
