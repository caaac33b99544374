import { sliceHead, splitSentences } from '@longhaul/engine/advanced'
import type { Conversation } from '../reading/read-conversation.ts'

const WANTS_TITLE =
  /\b(?:give|write|suggest|create|generate|make|find|propose|reply with|answer with)\b[^.?!\n]{0,80}\btitle\b/i
const OF_TALK = /\b(?:conversation|chat|session|exchange|dialogue|thread|discussion)\b/i
/** A longer system prompt is about more than titles. */
const MAX_SYSTEM_CHARS = 400
const MAX_ASK_CHARS = 6_000
const LEAD =
  /^(?:(?:hi|hello|hey|please|ok(?:ay)?|so|(?:can|could|would) you|i(?:['’]d like| want| need) (?:you )?to|help me(?: to)?)[,!]?\s+)+/i
const MAX_WORDS = 7
const MAX_CHARS = 60
const UNTITLED = 'New conversation'

/** A few words of what the user first wanted, for a prompt that asks for the title of a conversation; null for any other. */
export function planTitle({ ask, system, passages }: Conversation): string | null {
  const isAsked = wantsTitle(ask, MAX_ASK_CHARS)
  if (!isAsked && !wantsTitle(system, MAX_SYSTEM_CHARS)) return null
  const shown = /^(?:User|Human): ?(.+)$/m.exec(ask)?.[1]
  const first = passages.find(({ origin, text }) => origin === 'user' && (!isAsked || text !== ask))?.text
  return shorten(shown ?? first ?? '')
}

function wantsTitle(text: string, maxChars: number): boolean {
  return text.length <= maxChars && WANTS_TITLE.test(text) && OF_TALK.test(text)
}

function shorten(text: string): string {
  const sentence = splitSentences(text).find((line) => /[\p{L}\p{N}]{2}/u.test(line)) ?? ''
  const words = sentence.replace(LEAD, '').replace(/[\s.!?。！？:,;]+$/, '')
  const few = sliceHead(words.split(/\s+/).slice(0, MAX_WORDS).join(' '), MAX_CHARS).replace(/[,;:]$/, '')
  return few === '' ? UNTITLED : few.charAt(0).toUpperCase() + few.slice(1)
}
