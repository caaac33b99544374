/** Text that the context holds already, so that nothing short is said twice. */
export interface Told {
  add(text: string): void
  /** Word for word and as a whole: `ABC-1` is not held by `ABC-12`. */
  holds(words: string): boolean
  copy(): Told
}

export function createTold(given = ''): Told {
  return grow(given, new Set(given.match(RUN)))
}

/** What a word is made of. Where all of some words is held, each of its runs is one of the text's: most are ruled out by that alone. */
const RUN = /\w+/g

/** Longer words are said again rather than looked for: at every place of a text that repeats itself they would be read whole. */
const MAX_WORDS_CHARS = 500

function grow(given: string, runs: Set<string>): Told {
  let text = given
  return {
    add(more) {
      text += `\n${more}`
      for (const run of more.match(RUN) ?? []) runs.add(run)
    },
    holds: (words) =>
      words.length <= MAX_WORDS_CHARS && (words.match(RUN) ?? []).every((run) => runs.has(run)) && stands(words, text),
    copy: () => grow(text, new Set(runs)),
  }
}

function stands(words: string, text: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + words.length] ?? '')) return true
  }
  return false
}
