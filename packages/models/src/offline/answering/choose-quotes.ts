import type { Passage } from '../reading/read-conversation.ts'
import { isFaint } from '../reading/terms.ts'
import { corrects } from '../reading/corrects.ts'
import { findEvidence } from './find-evidence.ts'
import type { Evidence } from './find-evidence.ts'
import { createQuestion } from './read-questions.ts'
import type { Question } from './read-questions.ts'

/** Below these the sentence speaks of something else that shares a word: of two telling words it must hold both. */
const MIN_COVERAGE = 0.5
const MIN_TELLING_SHARE = 0.6
const MAX_LISTED = 8
/** A list takes what fits nearly as well as the best. */
const LISTED_SHARE = 0.7
/** Two statements that fit equally well say the same thing at different times; then the newer one holds. */
const EQUAL_SHARE = 0.93
const TAKES_BACK = /\b(?:not|instead of|rather than|no longer)\b|不是|而不是|nicht|pas|ya no/i

/** What answers a question: one sentence, or all that fit where all are asked for; nothing where nothing fits. */
export function chooseQuotes(question: Question, passages: readonly Passage[]): readonly Evidence[] {
  const fitting = withoutRepeats(
    findEvidence(question, passages).filter(
      (evidence) =>
        evidence.coverage >= MIN_COVERAGE && evidence.telling >= MIN_TELLING_SHARE && holdsNumbers(question, evidence),
    ),
  )
  const [best] = fitting
  if (best === undefined) return []
  return question.isList ? listAll(best, fitting) : [findNewest(best, fitting, passages)]
}

/** A number is a name: what is said of project 19 tells nothing about project 2. */
function holdsNumbers({ terms }: Question, { matched }: Evidence): boolean {
  return terms.every((term) => !/\p{N}/u.test(term) || matched.has(term))
}

function listAll(best: Evidence, fitting: readonly Evidence[]): readonly Evidence[] {
  const listed = fitting.filter(({ score }) => score >= best.score * LISTED_SHARE).slice(0, MAX_LISTED)
  return listed.toSorted((a, b) => a.order - b.order)
}

/** Follows statements of the same matter to the newest one. */
function findNewest(best: Evidence, fitting: readonly Evidence[], passages: readonly Passage[]): Evidence {
  const equal = fitting.filter(({ order, score }) => order > best.order && score >= best.score * EQUAL_SHARE)
  let holds = equal.reduce((newest, other) => (other.order > newest.order ? other : newest), best)
  for (const later of findCorrections(best, passages)) if (later.order > holds.order) holds = later
  return holds
}

/** Newer sentences on the matter of a statement that say it has changed, oldest first. */
function findCorrections(statement: Evidence, passages: readonly Passage[]): readonly Evidence[] {
  return findEvidence(createQuestion(statement.sentence.text), passages)
    .filter((later) => later.order > statement.order && isCorrection(later, statement))
    .toSorted((a, b) => a.order - b.order)
}

/** On what was asked about, or word for word against what was said. What a tool printed corrects nobody. */
function isCorrection({ sentence, passage }: Evidence, earlier: Evidence): boolean {
  if (passage.origin === 'tool' || !corrects(sentence, earlier.sentence)) return false
  return TAKES_BACK.test(sentence.text) || sentence.terms.some((term) => earlier.matched.has(term) && !isFaint(term))
}

/** The same sentence twice is quoted from where it fits best. */
function withoutRepeats(evidence: readonly Evidence[]): readonly Evidence[] {
  const seen = new Set<string>()
  return evidence.filter(({ sentence }) => {
    const words = sentence.terms.join(' ')
    const isNew = !seen.has(words)
    seen.add(words)
    return isNew
  })
}
