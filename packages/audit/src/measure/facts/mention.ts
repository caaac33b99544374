export type FactKind = 'path' | 'address' | 'number' | 'code' | 'identifier' | 'name' | 'quote'

/** Called for each place that names something. Equal tokens hand on the same object. */
export type FoundMention = (mention: Mention, start: number) => void

/** A thing as a text names it. */
export interface Mention {
  /** Equal for all spellings of the same thing: `src/a/load-keys.ts`, `load-keys.ts` and `loadKeys` have one. */
  readonly key: string
  /** Null: too little to be a fact by itself, but enough to say that the thing is known here. */
  readonly kind: FactKind | null
  /** Too little by itself, but a fact where some text says what it is: `ORION-7` is one where it is a tenant's code. */
  readonly isNameable?: boolean
  readonly text: string
  /** A thing with the same key but another label may be another thing: the folder of a file, the word before a number. */
  readonly label: string | null
  /** A second key under which the thing may be known, as a file by the module in it. */
  readonly alias?: string
}

export interface Token {
  readonly token: string
  readonly start: number
  /** The text it stands in. */
  readonly text: string
}
