export type LatinLanguage = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl'

export type Script =
  | 'latin'
  | 'han'
  | 'kana'
  | 'hangul'
  | 'cyrillic'
  | 'greek'
  | 'arabic'
  | 'hebrew'
  | 'devanagari'
  | 'bengali'
  | 'tamil'
  | 'thai'

interface ScriptProfile {
  readonly script: Script
  readonly pattern: RegExp
  /** Letters of one script carry more than those of another: a Han character is about a short Latin word. */
  readonly weight: number
}

export const SCRIPTS: readonly ScriptProfile[] = [
  { script: 'latin', pattern: /\p{Script=Latin}/gu, weight: 1 },
  { script: 'kana', pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, weight: 2 },
  { script: 'han', pattern: /\p{Script=Han}/gu, weight: 3 },
  { script: 'hangul', pattern: /\p{Script=Hangul}/gu, weight: 2 },
  { script: 'cyrillic', pattern: /\p{Script=Cyrillic}/gu, weight: 1 },
  { script: 'greek', pattern: /\p{Script=Greek}/gu, weight: 1 },
  { script: 'arabic', pattern: /\p{Script=Arabic}/gu, weight: 1 },
  { script: 'hebrew', pattern: /\p{Script=Hebrew}/gu, weight: 1 },
  { script: 'devanagari', pattern: /\p{Script=Devanagari}/gu, weight: 1 },
  { script: 'bengali', pattern: /\p{Script=Bengali}/gu, weight: 1 },
  { script: 'tamil', pattern: /\p{Script=Tamil}/gu, weight: 1 },
  { script: 'thai', pattern: /\p{Script=Thai}/gu, weight: 1 },
]

export const LANGUAGE_NAMES: Readonly<Partial<Record<LatinLanguage | Script, string>>> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  pt: 'Portuguese',
  it: 'Italian',
  nl: 'Dutch',
  han: 'Chinese',
  kana: 'Japanese',
  hangul: 'Korean',
  greek: 'Greek',
  hebrew: 'Hebrew',
  thai: 'Thai',
}

/** The commonest small words. Those that relatives share stand in each of their lists: they then decide nothing. */
export const STOP_WORDS: Readonly<Record<LatinLanguage, ReadonlySet<string>>> = {
  en: wordSet(
    'the of and to in is that it for was on are with as his they be at this have from or had by not but what were we ' +
      'when your can said there use an each which she do how their if will up other about out then them these so ' +
      'some would make him has look more could no way been now who did get should it’s don’t after before because ' +
      'into than its you my me i a please',
  ),
  de: wordSet(
    'der die das und ist nicht ein eine einen einem einer zu den dem des im in mit auf für von sich auch es an als am ' +
      'wie bei oder war aus nach wird werden wurde wurden noch hat haben soll sollen kann können muss nur aber wenn ' +
      'dann über so dass ich du er sie wir ihr mich mir bitte mein meine keine kein zum zur um durch vor bis ' +
      'alle diese dieser dieses ohne gegen schon jetzt was hier sind',
  ),
  fr: wordSet(
    'le la les des de du un une et est en que qui dans pour pas sur ne se ce il elle au aux avec son sa ses par plus ' +
      'sont ont été était nous vous je tu mais ou où donc cette ces leur leurs comme être avoir fait faire peut doit ' +
      'd’abord c’est n’est qu’il qu’elle j’ai s’il mon ma mes ton votre très aussi après avant sans sous entre même ' +
      'tout tous toutes alors quand moi',
  ),
  es: wordSet(
    'el la los las de del un una unos y es en que por para con no se su sus lo al como más pero ha han fue está están ' +
      'son ser este esta estos estas ese esa yo tú usted nos me mi muy sin sobre también hay todo todos cuando donde ' +
      'qué cómo porque desde hasta entre ya le les si o era había hacer tiene puede debe ahora después favor',
  ),
  pt: wordSet(
    'o a os as de do da dos das um uma uns e é em no na nos nas que por para com não se seu sua seus suas ao aos à ' +
      'como mais mas foi está estão são ser este esta esse essa isso isto eu você nós me meu minha muito sem sobre ' +
      'também há tudo todos quando onde porque desde até entre já ou era tem têm fazer pode deve agora depois pelo pela',
  ),
  it: wordSet(
    'il lo la i gli le di del della dei delle dello un una uno e è in nel nella che per con non si suo sua suoi al ' +
      'alla ai come più ma ha hanno è stato stata sono essere questo questa questi queste quello io tu lei noi mi mio ' +
      'mia molto senza su sul sulla anche c’è tutto tutti quando dove perché da dal dalla fino tra già o era deve può ' +
      'fare ora dopo ho se',
  ),
  nl: wordSet(
    'de het een en van ik te dat die in je is niet op aan met als voor er maar om dan zou of wat mijn men dit zo door ' +
      'over ze zich bij ook tot uit heeft hebben werd werden wordt worden naar kan kunnen moet moeten deze nog geen ' +
      'wel wij we hij zij haar hun was zijn al hoe waar na onder omdat toen graag',
  ),
}

/** With both apostrophes, as people type them. */
function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').flatMap((word) => [word, word.replace('’', "'")]))
}
