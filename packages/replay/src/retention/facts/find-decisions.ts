import { findStatements } from './find-statements.ts'

const DECIDED = new RegExp(
  "(?<![\\w])(?:(?:we|i)(?:['’]ve| have)? (?:decided|chose|agreed|settled|picked)|(?:let['’]?s|we['’]?ll|i['’]?ll) (?:go with|use|keep|stick|switch|drop|skip)|" +
    '(?:the )?decision(?: is|:)|(?:go|going|went) with|decided (?:to|on|against)|chosen|opted|instead of|rather than|wir nehmen|entschieden|' +
    'on prend|décidé|decidimos)(?![\\w])|决定|选择了|就用',
  'i',
)
const MIN_CHARS = 16

/** Sentences of user or model that settle something. Questions settle nothing. */
export function findDecisions(text: string): readonly string[] {
  return findStatements(text, MIN_CHARS).filter((sentence) => DECIDED.test(sentence))
}
