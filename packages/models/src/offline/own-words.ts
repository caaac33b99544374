import type { Remark } from './offline-plan.ts'

/** The first line of the first answer of a conversation. */
export const NOTE = '(Offline model, not an LLM: it quotes what its context holds.)'

export const NOT_IN_CONTEXT = 'That is not in my context.'

export const INTRODUCTION =
  'Hello. I am the offline model that comes with Longhaul. I am not an LLM: I have no weights and use no network. I answer with sentences of this conversation and summarise by choosing some.'

export const REMARKS: Readonly<Record<Remark, string>> = {
  noted: 'Noted. Ask me about it as long as it is in my context.',
  welcome: 'You are welcome.',
  'nothing-said': 'There is nothing I could answer in that message.',
  'cannot-see': 'I cannot look at images, sounds or documents; I only read text.',
  'cannot-write':
    'I cannot do that: as the offline model I only quote this conversation, use tools and choose sentences for summaries. A language model can; /model changes to one.',
  'no-tool': 'I have no tool for that here.',
}

/** Lines above quotes, and the quotes. */
const QUOTES = /^(?:>|From .{1,80}:$|\S{1,100} (?:answered|failed)(?: without a word\.|:)$|\(\d+ more characters\)$)/
const FIXED: readonly string[] = [NOTE, NOT_IN_CONTEXT, INTRODUCTION, ...Object.values(REMARKS)]

/** An earlier answer without what the model added to it or repeated in it: true or not, that is no second source. */
export function withoutOwnWords(answer: string): string {
  return answer
    .split('\n')
    .filter((line) => !QUOTES.test(line) && !FIXED.some((words) => line.startsWith(words)))
    .join('\n')
}
