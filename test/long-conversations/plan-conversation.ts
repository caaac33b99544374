/** One thing the user says, and what the answer must hold if it is a question. */
export interface Line {
  readonly kind: 'talk' | 'read' | 'ask' | 'ask-pinned'
  readonly text: string
  readonly expects: string | null
}

export interface Conversation {
  readonly pins: readonly string[]
  readonly lines: readonly Line[]
  /** What the file tool finds, by path. */
  readonly readFile: (path: string) => string
}

export interface ConversationOptions {
  readonly turns: number
  /** Of an average message. */
  readonly messageChars: number
  /** Of an average file; every fifth message asks for one. */
  readonly fileChars: number
  readonly seed: number
}

/** No two share a word, so that nothing can be mistaken for something else. */
const FACTS: readonly (readonly [thing: string, place: string, value: string])[] = [
  ['sextant', 'Ostravale', 'amber heron 41'],
  ['turbine', 'Quillmarsh', 'cobalt otter'],
  ['loom', 'Brackenford', 'scarlet finch 88'],
  ['anvil', 'Tarnholt', 'ivory lynx'],
  ['carillon', 'Windermoor', 'teal badger 65'],
  ['telescope', 'Harrowgate', 'ochre falcon'],
  ['kiln', 'Silverbeck', 'violet mole 90'],
  ['trebuchet', 'Dunmallow', 'crimson newt'],
  ['astrolabe', 'Perrinwick', 'jade sparrow 56'],
  ['windlass', 'Cobblesea', 'umber stoat'],
  ['harpsichord', 'Larkhollow', 'pearl marten 29'],
  ['distillery', 'Glenfarrow', 'indigo wren'],
  ['printing press', 'Ashbourne', 'coral vole 83'],
  ['barometer', 'Northwick', 'slate plover'],
  ['foundry', 'Emberly', 'lilac hare 47'],
  ['aqueduct', 'Stonereach', 'saffron gull'],
  ['orrery', 'Mistlethwaite', 'copper shrew 38'],
  ['lighthouse', 'Gannet Rock', 'azure weasel'],
  ['cannery', 'Saltmere', 'russet toad 26'],
  ['observatory', 'Highcairn', 'magenta crane'],
  ['drawbridge', 'Oldcastle', 'silver pike 19'],
  ['apiary', 'Cloverfield', 'golden thrush'],
  ['icehouse', 'Frostwell', 'turquoise bream 31'],
  ['granary', 'Millbrook', 'maroon kestrel'],
  ['tannery', 'Hidewater', 'emerald dace 44'],
  ['smokehouse', 'Kippering', 'bronze linnet'],
]

const PINNED: readonly (readonly [thing: string, place: string, value: string])[] = [
  ['vault', 'Kingsferry', 'platinum condor 99'],
  ['reactor', 'Thornbury', 'vermilion ibex'],
  ['archive', 'Wolverstone', 'obsidian tern 52'],
]

/** Facts are told at random places of the first four fifths and asked for, in another order, in the last one; pins at the end. */
export function planConversation({ turns, messageChars, fileChars, seed }: ConversationOptions): Conversation {
  const random = createRandom(seed)
  const pinnedAsks = PINNED.map((fact) => createAsk('ask-pinned', fact))
  const factAsks = shuffle(FACTS, random).map((fact) => createAsk('ask', fact))
  const talkTurns = turns - pinnedAsks.length - factAsks.length
  const toldAt = new Map(
    shuffle([...Array(talkTurns).keys()], random)
      .slice(0, FACTS.length)
      .map((turn, index) => [turn, FACTS[index]]),
  )
  const talk = Array.from({ length: talkTurns }, (_, turn): Line => {
    const fact = toldAt.get(turn)
    const chars = Math.round(messageChars * (0.5 + random()))
    if (fact !== undefined) {
      const before = Math.round(chars * random())
      const text = `${chatter(before, random)} ${tell(fact)} ${chatter(chars - before, random)}`
      return { kind: 'talk', text, expects: null }
    }
    if (turn % 5 === 4) return createRead(turn)
    return { kind: 'talk', text: chatter(chars, random), expects: null }
  })
  return {
    pins: PINNED.map(tell),
    lines: [...talk, ...factAsks, ...pinnedAsks],
    readFile: (path) => createFile(path, fileChars, seed),
  }
}

export interface OldFactsOptions {
  /** How many facts are told, one in each of the first messages. */
  readonly facts: number
  readonly turns: number
  readonly messageChars: number
  /** After the facts every so many messages ask for a file. Default: none does. */
  readonly readEvery?: number
  /** Of a file. */
  readonly fileChars?: number
  readonly seed: number
}

/** Facts are told at the start; then there is talk of something else, and at the end they are asked for. */
export function planOldFacts(options: OldFactsOptions): Conversation {
  const { facts: count, turns, messageChars, readEvery = Infinity, fileChars = 0, seed } = options
  const random = createRandom(seed)
  const facts = FACTS.slice(0, count)
  const talk = Array.from({ length: turns }, (_, turn): Line => {
    const fact = facts[turn]
    if (fact === undefined && turn % readEvery === 0) return createRead(turn)
    const half = messageChars / 2
    const told = fact === undefined ? '' : `${tell(fact)} `
    const text = `${chatter(half, random)} ${told}${chatter(half - told.length, random)}`
    return { kind: 'talk', text, expects: null }
  })
  const asks = shuffle(facts, random).map((fact) => createAsk('ask', fact))
  return { pins: [], lines: [...talk, ...asks], readFile: (path) => createFile(path, fileChars, seed) }
}

function createRead(turn: number): Line {
  return { kind: 'read', text: `Read notes/chapter-${turn}.md`, expects: null }
}

function createFile(path: string, chars: number, seed: number): string {
  return `${path}\n${chatter(chars, createRandom(path.length + seed)).replaceAll('. ', '.\n')}`
}

function tell([thing, place, value]: readonly [string, string, string]): string {
  return `The ${thing} in ${place} is called ${value}.`
}

function createAsk(kind: 'ask' | 'ask-pinned', [thing, place, value]: readonly [string, string, string]): Line {
  return { kind, text: `What is the ${thing} in ${place} called?`, expects: value }
}

const WORDS =
  'river bread window morning garden paper letter chair table winter summer road bridge coffee music street village market sister brother teacher doctor ticket station train corner kitchen dinner story picture basket candle pocket shoulder blanket engine wagon harvest meadow orchard pencil mirror curtain ladder hammer needle button bottle saucer pillow carpet'.split(
    ' ',
  )

/** Sentences that say nothing anybody would ask for. */
function chatter(chars: number, random: () => number): string {
  const sentences: string[] = []
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? 'river'
  for (let length = 0; length < chars; length += sentences.at(-1)?.length ?? 1) {
    sentences.push(
      `We talked about the ${word()} and the ${word()}, then about a ${word()} beside some ${word()} and ${word()}.`,
    )
  }
  return sentences.join(' ')
}

/** The same numbers for the same seed, between 0 and 1. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function shuffle<T>(values: readonly T[], random: () => number): readonly T[] {
  return values
    .map((value) => ({ value, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value)
}
