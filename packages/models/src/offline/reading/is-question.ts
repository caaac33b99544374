const ENDS = /[?？؟]["'”’)\]*_]*$/
const LEAD = String.raw`^(?:(?:and|so|but|also|ok(?:ay)?|hey|hi|then|now|please|by the way)[, ]+)*`
/** Asks whatever it ends with. */
const REQUESTS = new RegExp(
  String.raw`${LEAD}(?:(?:please )?(?:tell|remind|show|give) (?:me|us)|(?:can|could|would|will) you|do you (?:know|remember)|(?:what|who|which|where|when|why|how)(?: (?:is|are|was|were|do|does|did|should|can|much|many)|['’]s)) `,
  'i',
)
const BEGINS = new RegExp(
  String.raw`${LEAD}(?:what|who|whom|whose|which|where|when|why|how|do|does|did|is|are|was|were|have|has|can|could|would|will|should|explain|wer|wo|wann|warum|wie|welche[rsmn]?|qui|que|quoi|quel(?:le)?s?|où|quand|comment|pourquoi|qué|quién|cuál|cuándo|dónde|cómo|por qué)(?![\p{L}'’-])`,
  'iu',
)
const ASIAN =
  /什么|甚么|多少|怎么|哪[里儿个些]|谁|几[点号个]|吗。?$|何(?:です|時|人|番)|誰|どこ|いつ|なぜ|ですか|ますか|무엇|누구|어디|언제|나요|까요/u
/** "When we deploy, we tag it." begins like a question and is none. */
const GOES_ON = /[,，:]|[.。!！]["'”’)\]*_]*$/

/** Whether a sentence asks. With a question mark it does; without one, if it begins like a question and goes on like one. */
export function isQuestion(sentence: string): boolean {
  if (ENDS.test(sentence) || REQUESTS.test(sentence) || ASIAN.test(sentence)) return true
  return BEGINS.test(sentence) && !GOES_ON.test(sentence)
}
