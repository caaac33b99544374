import { showHidden } from '@longhaul/engine/display'

/** What tools are told first, by the names they usually give it. */
const TELLING_NAMES = ['path', 'file', 'command', 'url', 'query', 'pattern', 'name', 'id', 'text']

const MOST_CHARS = 80

/** The one argument that says what a call is about, on one line; empty if there is none. */
export function findMainArgument(input: Readonly<Record<string, unknown>>): string {
  const name = TELLING_NAMES.find((each) => isTelling(input[each]))
  const value = name === undefined ? Object.values(input).find(isTelling) : input[name]
  if (!isTelling(value)) return ''
  const line = showHidden(String(value).trim()).replaceAll(/\s+/g, ' ')
  return line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS - 1)}…` : line
}

function isTelling(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
}
