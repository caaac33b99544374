import type { Remark } from '../offline-plan.ts'

const GREETS =
  /^(?:hi|hello|hey|hallo|good (?:morning|day|afternoon|evening)|guten (?:tag|morgen|abend)|bonjour|hola|ciao|你好|您好|こんにちは|안녕하세요)(?: there| everybody| all)?[\s!.,。！]*$/iu
const ASKS_WHAT_IT_IS =
  /\b(?:who|what) are you\b|\bwhat(?: can| do) you (?:do|know how)|\bwhat['’]s your name\b|\bwhat is your name\b|\bare you (?:an? |really |just )*(?:ai|llm|language model|bot|robot|human|person|real|chatgpt|claude|gemini|gpt)\b|^(?:help|\/help)[\s!.?]*$|你是谁|你是什么|wer bist du|qui es-tu|quién eres/i
const ASKS_RECAP =
  /^(?:please |can you |could you )*(?:summari[sz]e|recap|sum up|tl;?dr|give (?:me )?a (?:summary|recap))\b|\bwhat (?:have|did) we (?:talk|discuss|do|cover)/i
const THANKS =
  /^(?:ok(?:ay)?[,. ]+|great[,!. ]+)?(?:thanks?|thank you|thx|cheers|danke|merci|gracias|谢谢|ありがとう)\b[^?]{0,40}$|^谢谢/iu
/** Wants a text that is nowhere yet. */
const WANTS_TEXT =
  /^(?:please |can you |could you |now )*(?:write|compose|draft|translate|implement|generate|create|code|program|design|invent|imagine|explain|prove|refactor|rewrite|continue|fix|build|make)\b/i

/** What a message is about besides facts and tools; null where it simply tells something. */
export function readSmallTalk(message: string): 'introduce' | 'recap' | Remark | null {
  const words = message.trim()
  if (words === '') return null
  if (GREETS.test(words) || ASKS_WHAT_IT_IS.test(words)) return 'introduce'
  if (ASKS_RECAP.test(words)) return 'recap'
  if (THANKS.test(words)) return 'welcome'
  return WANTS_TEXT.test(words) ? 'cannot-write' : null
}
