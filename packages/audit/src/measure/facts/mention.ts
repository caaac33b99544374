export type FactKind = 'path' | 'address' | 'number' | 'code' | 'identifier' | 'name' | 'quote'

/** One place in a text that names something. */
export interface Mention {
  /** Equal for all spellings of the same thing: `src/a/load-keys.ts`, `load-keys.ts` and `loadKeys` have one. */
  readonly key: string
  /** Null: too little to be a fact by itself, but enough to say that the thing is known here. */
  readonly kind: FactKind | null
  readonly text: string
  readonly start: number
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
