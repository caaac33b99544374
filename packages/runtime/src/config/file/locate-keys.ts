import JSON5 from 'json5'
import type { KeyPath } from './key-path.ts'

export interface LocatedKey {
  readonly path: KeyPath
  /** Counted from 1. */
  readonly line: number
}

/** Comments and strings whole, so that nothing inside them is taken for a sign; then signs; then names and numbers. */
const TOKEN = /\/\/.*|\/\*[^]*?\*\/|"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|[{}[\]:,]|[^\s{}[\]:,"'/]+/g

/** No key of the configuration lies deeper. */
const MAX_DEPTH = 16

interface Level {
  readonly isList: boolean
  /** The key or index under way; null where a key comes next. */
  name: string | null
}

/** Where every key of a JSON5 text stands, in order, also those written twice. The text must have been parsed before. */
export function locateKeys(source: string): readonly LocatedKey[] {
  const keys: LocatedKey[] = []
  const levels: Level[] = []
  let line = 1
  let counted = 0
  for (const { 0: token, index } of source.matchAll(TOKEN)) {
    line += source.slice(counted, index).split('\n').length - 1
    counted = index
    const level = levels.at(-1)
    if (token === '{') levels.push({ isList: false, name: null })
    else if (token === '[') levels.push({ isList: true, name: '0' })
    else if (token === '}' || token === ']') levels.pop()
    else if (level === undefined || token === ':' || token.startsWith('/')) continue
    else if (token === ',') level.name = level.isList ? String(Number(level.name) + 1) : null
    else if (level.name === null) {
      level.name = readName(token)
      if (levels.length <= MAX_DEPTH) keys.push({ path: levels.map(({ name }) => name ?? ''), line })
    }
  }
  return keys
}

/** Quoted or not, with or without escapes. */
function readName(token: string): string {
  return Object.keys(JSON5.parse<object>(`{${token}:0}`))[0] ?? ''
}
