/**
 * Words that say nothing about what a sentence is about, in the languages most conversations are in. Question words are
 * among them: they say what kind of answer is wanted, not what it is about.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the and or but nor so yet if then than that this these those there here it its he she they them him her his hers their theirs
  i me my mine myself we us our ours you your yours yourself one ones who whom whose what which when where why how whether
  is am are was were be been being do does did done doing have has had having will would shall should can could may might must
  ll ve re d s t m don doesn didn isn aren wasn weren won wouldn couldn shouldn ain not no yes of to in on at by for from with without
  about into onto over under up down out off as any some all each every both either neither much many more most few less least such
  own same other another just only also too very really quite again ever please tell know remember remind say said says again
  thing things something anything nothing someone anyone let lets got get gets ok okay hey hi hello
  thanks thank currently exactly now actually instead anymore
  der die das den dem des ein eine einen einem einer und oder aber ist sind war waren sein ich du er sie es wir ihr mein meine meinen
  dein deine unser wie was wer wo wann warum welche welcher welches nicht auf mit von zu im am für bei aus nach noch auch nur heißt
  le la les un une des du de et ou mais est sont était je tu il elle nous vous ils mon ma mes ton ta tes notre quel quelle quels quelles
  que qui quoi où quand comment pourquoi ne pas dans sur avec pour par ce cette ces se au aux
  el los las una unos unas del y o pero es son era yo tú él ella nosotros mi mis tu tus su sus nuestro qué quién cuál cuándo dónde
  cómo por para con en no se lo al
  무엇 무엇인가요 뭐 누구 누구인가요 어디 언제 몇 어느 어떤 왜 어떻게 내 제 나의 우리 입니다 이에요 예요`.split(/\s+/),
)

/** Verbs and nouns so general that sharing one means little. */
export const FAINT_WORDS: readonly string[] =
  `use used using go went make made want need give take put come keep set try think look find see show run happen mean
  belong talk discuss mention ask answer main current present new first last next user people person way kind type sort lot
  part time date day month year often number amount value place right good long big best plan write read list listen exact detail`.split(
    /\s+/,
  )

/**
 * Words that ask and tell the same thing; the first one stands for all of its line. Short on purpose: these are everyday
 * pairs, and a question that shares no word with its answer is honestly not found.
 */
export const SAME_WORDS: readonly (readonly string[])[] = `
  name named call called
  live reside home
  like love enjoy favourite favorite prefer fond
  hate dislike
  decide decision choose chose chosen choice pick select settle agree opt
  job work profession occupation career
  budget money fund
  responsible responsibility handle care charge
  born birthday birth
  start begin began begun launch
  finish complete done
  deadline due
  buy bought purchase
  cost price fee
  meet met meeting appointment
  kid child children
  spouse wife husband
  fix repair solve resolve
  bug defect
  store save
  remove delete
  folder directory dir
  repo repository
  db database
  config configuration configure setting
  dev development
  env environment
  doc document documentation
  auth authentication authenticate
  app application
  run ran execute
  trip journey travel
  fly flight flew
  phone telephone mobile
  mail email
  old age aged
  version release
  boss manager
  colleague coworker teammate
  customer client
  company firm employer
  salary wage
  car vehicle
  colour color
  write wrote written
  go went gone
  eat ate eaten
  drink drank
  big large size
  allow permit
  break broke broken
  send sent
  pay paid
  build built
  speak spoke spoken
  drive drove driven
  allergy allergic
  pet animal
  maximum max
  minimum min
  url link
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))
