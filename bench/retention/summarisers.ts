import type { AskModel } from '@longhaul/engine/advanced'

/** A summariser that needs no provider, so that presets are compared and not models. */
export interface Summariser {
  readonly name: string
  readonly ask: AskModel
}

const MAX_CHARS = 1_500
const MAX_SENTENCE_CHARS = 220
const ONE_SENTENCE = 'The user and the assistant worked through several steps of the task, and the work is going on.'

const BLOCK = /^----- BEGIN (.+) (\S+) -----\n([\s\S]*?)\n----- END \1 \2 -----$/gm
const MESSAGE_START = /^(?:#\d+ )?(?=(?:User|Assistant): |\[\S+ (?:answered|failed)\] )/m
const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])|\n+/

/** Retells by choosing: how requests began and how answers ended, after as much of the earlier summary as has room. */
export const choosing: Summariser = { name: 'choosing', ask: ({ prompt }) => reply(chooseSentences(prompt)) }

/** The worst case that is still an answer. */
export const sentence: Summariser = { name: 'one sentence', ask: () => reply(ONE_SENTENCE) }

function reply(text: string): ReturnType<AskModel> {
  return Promise.resolve({ text: `<summary>\n${text}\n</summary>`, finish: 'stop' })
}

function chooseSentences(prompt: string): string {
  const blocks = [...prompt.matchAll(BLOCK)].map(([, label = '', , text = '']) => ({ label, text }))
  const earlier = blocks.filter(({ label }) => label === 'EARLIER SUMMARY' || label.startsWith('PART '))
  const fresh = blocks.filter(({ label }) => label === 'TRANSCRIPT')
  const share = MAX_CHARS / (earlier.length + fresh.length)
  const told = earlier.flatMap(({ text }) => takeWhileShort(sentencesOf(text), share))
  const used = told.reduce((sum, { length }) => sum + length + 1, 0)
  const chosen = fresh.flatMap(({ text }) => chooseNewest(text, (MAX_CHARS - used) / fresh.length))
  return [...told, ...chosen].join('\n') || ONE_SENTENCE
}

/** The newest first, until the room is full; told in their order. */
function chooseNewest(transcript: string, maxChars: number): readonly string[] {
  const sentences = transcript.split(MESSAGE_START).flatMap((message) => {
    const [, role, text = ''] = /^(User|Assistant): ([\s\S]*)$/.exec(message) ?? []
    if (role === undefined) return []
    const spoken = sentencesOf(text).filter((line) => !line.startsWith('[calls '))
    const [line] = role === 'User' ? spoken : spoken.slice(-1)
    return line === undefined ? [] : [`- The ${role === 'User' ? 'user asked' : 'assistant reported'}: ${line}`]
  })
  return takeWhileShort(sentences.toReversed(), maxChars).toReversed()
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(SENTENCE_END)
    .map((line) => line.trim().slice(0, MAX_SENTENCE_CHARS))
    .filter((line) => line !== '')
}

function takeWhileShort(lines: readonly string[], maxChars: number): readonly string[] {
  let room = maxChars
  return lines.filter((line) => {
    room -= line.length + 1
    return room >= 0
  })
}
