import { shortenEnd } from '../../messages/shorten.ts'
import type { MessageEntry } from '../../transcript/entry.ts'
import type { AddMention } from './fact-collector.ts'
import { splitSentences } from './split-sentences.ts'

const MAX_CHARS = 300
const MAX_PER_MESSAGE = 4
const MIN_CHARS = 24

const SETTLES = new RegExp(
  [
    String.raw`\b(?:decided (?:to|on|that|against)|(?:the|our|my) decision|(?:we|i)(?:'ve| have)? agreed|agreed (?:to|on|that)|settled on|(?:we|i)(?:'ve| have)? (?:chose|chosen|picked|opted)|(?:we|i) conclude|in conclusion|root cause|turns out|the (?:fix|solution|cause|real problem|plan|approach) (?:is|was))\b`,
    String.raw`\bwe(?:'ll| will| shall|'re going to| are going to| should) (?:use|go with|keep|stick|switch|adopt|drop|skip|leave|take|implement|move|store|call)\b|\b(?:let'?s|lets) (?:use|go with|keep|stick|switch|adopt|drop|skip|leave|take|call|put|start with|do it)\b|\b(?:going|i'll go|we go|go) with\b`,
    String.raw`\b(?:entschieden|beschlossen|die entscheidung|abgemacht|wir (?:nehmen|verwenden|nutzen|bleiben bei)|die ursache (?:ist|war))\b`,
    String.raw`(?:^|\s)(?:(?:on a|nous avons|j'ai) décidé|la décision|convenu|on (?:va utiliser|garde|prend)|(?:hemos|he) decidido|la decisión|acordado|vamos a usar|usaremos|nos quedamos con)(?=$|[\s,.;:!])`,
    '决定(?:了|用|采用|使用|不)|确定用|就用|我们(?:采用|改用|使用)|最终方案|结论是|根本原因|に決めました|を採用|原因は|하기로 (?:했|결정)',
  ].join('|'),
  'iu',
)
/** What only the user can settle: one thing put before another. */
const USER_SETTLES = /\b(?:instead of|rather than|no longer)\b|而不是|statt\b|au lieu de|en (?:vez|lugar) de/i
const CONFIRMS =
  /^[^\p{L}\p{N}]{0,6}(?:yes|yep|yeah|yup|sure|ok(?:ay)?|agreed|correct|right|exactly|perfect|great|sounds good|looks good|lgtm|go ahead|do it|please do|proceed|confirmed?|approved|that works|fine|ja|jawohl|genau|einverstanden|passt|mach das|oui|d'accord|vas-y|parfait|sí|si|vale|de acuerdo|adelante|好的?|可以|是的?|行|没问题|同意|确认|对|はい|お願いします|네|좋아요)(?![\p{L}\p{N}])/iu
const PROPOSES =
  /\b(?:(?:should|shall|may) (?:i|we)|can i (?:go|start|proceed)|would you (?:like|prefer) (?:me to|to (?:proceed|go|continue|use|keep|start|confirm))|do you want (?:me to|to (?:proceed|go|continue|keep))|want me to|ready to|please confirm|confirm (?:if|that|whether)|to proceed|i'll proceed|sounds? (?:good|ok)|does (?:this|that)|is (?:this|that) (?:ok|okay|right|correct|fine)|agree|soll(?:en)? (?:ich|wir)|möchtest du|einverstanden|dois-je|voulez-vous que|on y va|quieres que|te parece|procedo|confirmas?)\b|要不要|需要我|可以吗|是否(?:需要|继续|确认)|确认|继续吗|でしょうか|しますか|할까요/iu
const MAX_CONFIRMATION_CHARS = 240
const MIN_PROPOSAL_CHARS = 100

/** What was settled, in the words of whoever settled it. */
export function collectDecisions(text: string, by: 'user' | 'assistant', entry: MessageEntry, add: AddMention): void {
  let left = MAX_PER_MESSAGE
  for (const sentence of splitSentences(text)) {
    if (left === 0) return
    if (sentence.length > 800 || /[?？:：]["'”’)*]{0,4}$/.test(sentence)) continue
    const plain = sentence.replaceAll('’', "'")
    if (!SETTLES.test(plain) && (by !== 'user' || !USER_SETTLES.test(plain))) continue
    const line = cleanLine(sentence)
    if (line.length < MIN_CHARS && !/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(line)) continue
    left -= 1
    add({ kind: 'decision', text: shortenEnd(line, MAX_CHARS), by, entry })
  }
}

/** A short yes means what it answers: the proposal before it, with the yes as its note. */
export function collectConfirmation(answer: string, proposal: string, entry: MessageEntry, add: AddMention): void {
  const words = answer.trim()
  if (words.length > MAX_CONFIRMATION_CHARS || !CONFIRMS.test(words)) return
  const proposed = lastProposal(splitSentences(proposal.slice(-4_000)).map(cleanLine))
  if (proposed === '') return
  const note = `user: ${shortenEnd(words.replace(/\s+/g, ' '), 120)}`
  add({ kind: 'decision', text: shortenEnd(proposed, MAX_CHARS), note, by: 'user', entry })
}

/** The proposal near the end and, because "shall I?" alone says nothing, as much before it as makes it understandable. */
function lastProposal(sentences: readonly string[]): string {
  const end = sentences.findLastIndex((sentence) => PROPOSES.test(sentence))
  if (end === -1 || end < sentences.length - 3) return ''
  let start = end
  let proposed = sentences[start] ?? ''
  while (start > 0 && proposed.length < MIN_PROPOSAL_CHARS) {
    start -= 1
    proposed = `${sentences[start]} ${proposed}`
  }
  return proposed
}

/** A line without its bullet and without Markdown's marks. */
export function cleanLine(line: string): string {
  return line
    .replace(/\*\*|__/g, '')
    .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '')
    .replace(/^#{1,6}\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
}
