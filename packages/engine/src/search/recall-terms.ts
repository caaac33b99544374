import { isUnspaced, splitWords } from './split-words.ts'

/** Words that say how a question is asked and not what about; they would make every line fit every question a little. */
const FUNCTION_WORDS = new Set(
  'a an the and or but if of to in on at by for from with as is are was were be been do does did has have had will would can could should may might not no this that these those it its he she they we you i his her their our your my me him them us what when where who whom which why how there here so than then just also about'.split(
    ' ',
  ),
)
const ENDING = /(?:ations?|ings?|ies|ied|ed|es|s|ly|er|e|y)$/

/** Terms by which lines are compared: stems of words, and pairs of characters where a script has no spaces. In their order. */
export function recallTerms(text: string): readonly string[] {
  const terms: string[] = []
  let before: string | null = null
  for (const word of splitWords(text)) {
    if (isUnspaced(word)) {
      if (before !== null) terms.push(before + word)
      before = word
    } else {
      before = null
      if (!FUNCTION_WORDS.has(word)) terms.push(stem(word))
    }
  }
  return terms
}

/** The beginning that most forms of an English word share. It serves to compare words, and need not be one itself. */
function stem(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return word
  const bare = word.replace(ENDING, '')
  return bare.length < 3 ? word : bare
}

/** Pairs of characters overlap, so each tells half of what a word tells. */
export function shareOfTerm(term: string): number {
  return isUnspaced(term) ? 0.5 : 1
}
