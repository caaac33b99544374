export interface RunWords {
  /** For this program, up to the name of the other one. */
  readonly own: readonly string[]
  /** For the other program, as they are. */
  readonly rest: readonly string[]
}

/** Options that take the next word. */
const VALUED = new Set(['--port', '--data', '--config', '--store'])

/**
 * Divides the words of `longhaul run`: everything behind the name of a program belongs to that program, whatever it looks
 * like. Without `run` all words are this program's own.
 */
export function splitRunWords(words: readonly string[]): RunWords {
  const run = skipOptions(words, 0)
  if (words[run] !== 'run') return { own: words, rest: [] }
  const agent = skipOptions(words, run + 1)
  if (words[agent] === '--') return { own: words.slice(0, agent), rest: words.slice(agent + 1) }
  return { own: words.slice(0, agent + 1), rest: words.slice(agent + 1) }
}

function skipOptions(words: readonly string[], from: number): number {
  let at = from
  while (words[at] !== '--' && words[at]?.startsWith('-') === true) at += VALUED.has(words[at] as string) ? 2 : 1
  return at
}
