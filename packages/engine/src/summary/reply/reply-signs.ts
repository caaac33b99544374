import { isListed, isTitle, ownLines, withoutCode } from './prose-lines.ts'
import { ASKS_USER, CLOSING_OFFERS, INTENTS, OPENERS, REFUSALS, SECOND_PERSON, SPEAKS_OF_CHAT } from './reply-words.ts'
import { SUMMARY_WORD } from './extract-summary.ts'

/** A call to a tool in any of the forms that models write as text. Quoted in code it is a topic, not a call. */
export function hasToolSyntax(text: string): boolean {
  if (text.endsWith('}') && CALL_AS_JSON.test(text) && HAS_ARGUMENTS.test(text)) return true
  return /^[ \t]*```tool_(?:code|call)/m.test(text) || ownLines(text).some((line) => TOOL_CALL_LINE.test(line))
}

const CALL_AS_JSON = /^\{[^{}]{0,200}"(?:name|tool|function|tool_name)"\s*:/
const HAS_ARGUMENTS = /"(?:arguments|parameters|input|args)"\s*:/

/** A provider's or a wrapper's failure handed through as if it were an answer. Tagged text was written by a model that knew its job. */
export function isErrorText(text: string, isTagged: boolean): boolean {
  if (ERROR_ANYWAY.test(text)) return true
  return !isTagged && text.length <= SHORT_CHARS && ERROR_WHEN_SHORT.test(text)
}

/** The reply speaks to the user: it refuses, obliges, offers or instructs. Only the first three say so in spite of tags. */
export function answersTheChat(text: string, isTagged: boolean): boolean {
  const lines = ownLines(text)
  const first = (lines[0] ?? '').replace(/^[*_#\s]+/, '')
  if (REFUSALS.some((refusal) => refusal.test(first))) return true
  if (OPENERS.some((opener) => opener.test(first)) && !SUMMARY_WORD.test(first)) return true
  const last = lastSentence(lines)
  if (last !== null && CLOSING_OFFERS.some((offer) => offer.test(last))) return true
  if (isTagged) return false
  if (last !== null && /[?？]$/.test(last) && SECOND_PERSON.test(last)) return true
  const prose = lines.join('\n')
  if (isMostlyCode(text) || ASKS_USER.test(prose)) return true
  return !SPEAKS_OF_CHAT.test(prose) && (SECOND_PERSON.test(prose) || (last !== null && INTENTS.test(last)))
}

/** The reply writes on at the conversation: turns of both sides, or the transcript's own notation. */
export function continuesTheChat(text: string): boolean {
  const lines = ownLines(text)
  if (lines.some((line) => /^\[[\w.-]+ (?:answered|failed)\] /.test(line))) return true
  if (ASSISTANT_LABEL.test(lines[0] ?? '')) return true
  return lines.some((line) => isTurn(line, USER_LABEL)) && lines.some((line) => isTurn(line, ASSISTANT_LABEL))
}

const TOOL_CALL_LINE =
  /^(?:<\/?(?:[a-z]+:)?(?:tool_calls?|function_calls?|tool_use|invoke|function)\b|<function=|<[|｜]tool|\[TOOL_CALLS?\]|\[calls [\w.-]+ \{)/i

const SHORT_CHARS = 400
const ERROR_ANYWAY =
  /^(?:\{\s*"(?:error|errors)"\s*:|\{\s*"type"\s*:\s*"error"|<!doctype html|<html\b|error (?:while )?(?:generating|creating|producing|writing) (?:the |a )?summary|(?:summary|summari[sz]ation) (?:unavailable|generation failed|failed)\b|context contained \d+ messages\. summary unavailable)/i
const ERROR_WHEN_SHORT = new RegExp(
  '^(?:(?:api|internal|server|upstream|provider|request|network|connection|timeout|http|unhandled|fatal|runtime|anthropic|openai|google) ){0,2}(?:\\w+)?(?:error|exception)\\s*[:({\\d]|' +
    '^(?:http[ /]?[\\d.]*\\s*)?[45]\\d\\d\\s*(?:[:{-]|too many|internal|bad |service|unauthori|overloaded|forbidden|not found|gateway)|' +
    '^rate[ _-]?limit(?:ed)?\\b.{0,40}\\b(?:exceeded|reached|hit|error|try again)|^too many requests|' +
    '^(?:the |our |this )?(?:server|model|service|engine|api|system)s? (?:is|are|seems?)(?: currently| temporarily)? (?:overloaded|unavailable|busy|at capacity)|' +
    '^overloaded|^service (?:temporarily )?unavailable|^bad gateway|^gateway time-?out|^(?:the )?request (?:has )?timed out|' +
    '^(?:oops|sorry)\\b.{0,30}went wrong|^something went wrong|^(?:an? )?(?:unexpected |internal |unknown )*error (?:has )?occurred|' +
    '^you (?:have )?exceeded your|^insufficient[ _](?:quota|credits|balance)|^quota exceeded|' +
    "^prompt is too long|^input is too long|^this model['’]s maximum context|^context[ _]length[ _]exceeded",
  'i',
)

const USER_LABEL =
  /^(?:\*\*|\[|<)?(?:user|human|you|benutzer|nutzer|utilisateur|usuario|usuário|utente|gebruiker|用户|用戶|ユーザー|사용자|пользователь)(?:\]|>)?(?:\*\*)?\s*[:：](?:\*\*)?\s*/iu
const ASSISTANT_LABEL =
  /^(?:\*\*|\[|<)?(?:assistant|ai|model|assistent|asistente|assistente|助手|アシスタント|어시스턴트|ассистент)(?:\]|>)?(?:\*\*)?\s*[:：](?:\*\*)?\s*/iu
/** After a label: somebody tells what was said, instead of saying it. */
const REPORTS =
  /^(?:\w+ed|\w+ly \w+ed|asks|wants|said|says|gave|found|wrote|made|ran|built|chose|went|is|was|has|had|needs|prefers|works|lives)\b/i

function isTurn(line: string, label: RegExp): boolean {
  return label.test(line) && !REPORTS.test(line.replace(label, ''))
}

/** The last sentence, unless it stands in a list or under a title: there, a question is reported, not asked. */
function lastSentence(lines: readonly string[]): string | null {
  const line = lines.at(-1) ?? ''
  const before = lines.at(-2)
  if (line === '' || isListed(line) || (before !== undefined && isTitle(before))) return null
  const sentences = line.split(/(?<=[.!?。！？…])\s*(?=\S)/u).filter((sentence) => /\p{L}/u.test(sentence))
  return sentences.at(-1)?.replace(/^[*_]+|(?<![*_])[*_]+$/g, '') ?? null
}

function isMostlyCode(text: string): boolean {
  return text.length > SHORT_CHARS && withoutCode(text).length < text.length * 0.4
}
