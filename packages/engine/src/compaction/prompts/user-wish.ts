const MAX_CODE_POINTS = 800

/** White space, zero-width characters, fillers and marks that print nothing: a text of only these says nothing. */
const SAYS_NOTHING = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]*$/u

/** What the user wrote after `/compact`, whole characters only; null if there is nothing to read in it. */
export function readUserWish(instructions: string | undefined): string | null {
  if (instructions === undefined || SAYS_NOTHING.test(instructions)) return null
  const wish = Array.from(instructions.toWellFormed().trim()).slice(0, MAX_CODE_POINTS).join('').trimEnd()
  return SAYS_NOTHING.test(wish) ? null : wish
}

/** Names of languages as speakers of the profiled ones write them; prefixes, because endings vary. */
const NAMES_LANGUAGE = new RegExp(
  '(?:^|[^\\p{L}])(?:' +
    'language|sprache|langue|idioma|lingua|taal|translat|übersetz|tradu|vertaal|' +
    'english|german|french|spanish|portuguese|italian|dutch|chinese|japanese|korean|russian|' +
    'englisch|deutsch|französisch|spanisch|portugiesisch|italienisch|niederländisch|' +
    'anglais|allemand|français|espagnol|inglés|alemán|francés|español|inglês|alemão|inglese|tedesco|' +
    'engels|duits)|中文|英文|英语|英語|汉语|日语|日本語|한국어|영어|по-английски|по-русски',
  'iu',
)

/** A wish that speaks about languages may ask for another one than the conversation's, so the language is then left to it. */
export function namesLanguage(wish: string): boolean {
  return NAMES_LANGUAGE.test(wish)
}
