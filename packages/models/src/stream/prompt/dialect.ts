/**
 * What one vendor's API accepts in a request, as far as the AI SDK passes it on or refuses it. Whatever an endpoint
 * refuses would stand in the history and be refused again at every turn, so it is never sent.
 */
export interface Dialect {
  /** Where the vendor's package reads and writes the opaque data of a part: the first one, then other spellings of it. */
  readonly namespaces: readonly [string, ...string[]]
  /** `joined`: the templates of many local models refuse a second system message. */
  readonly systemMessages: 'separate' | 'joined'
  /** Media types of images and files, as `type/subtype` or `type/*`. Text files are sent as text to everybody. */
  readonly media: readonly string[]
  /** `after`: tool results are text alone there, so their images follow in a user message. */
  readonly toolMedia: 'in-result' | 'after'
  /** An answer's own images can be sent back. */
  readonly assistantMedia: boolean
  /** An address needs the exact type of what lies there. */
  readonly typedAddresses: boolean
  /** Servers of this kind may cut a prompt that is too long, and say nothing. */
  readonly mayCutPrompts: boolean
}

const COMMON_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

export const ANTHROPIC: Dialect = {
  namespaces: ['anthropic'],
  systemMessages: 'separate',
  media: [...COMMON_IMAGES, 'application/pdf'],
  toolMedia: 'in-result',
  assistantMedia: false,
  typedAddresses: false,
  mayCutPrompts: false,
}

export const OPENAI_RESPONSES: Dialect = { ...ANTHROPIC, namespaces: ['openai'] }

export const OPENAI_CHAT: Dialect = {
  ...OPENAI_RESPONSES,
  media: [...OPENAI_RESPONSES.media, 'audio/wav', 'audio/mpeg', 'audio/mp3'],
  toolMedia: 'after',
}

export const GOOGLE: Dialect = {
  namespaces: ['google'],
  systemMessages: 'separate',
  media: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif', 'application/pdf', 'audio/*', 'video/*'],
  toolMedia: 'in-result',
  assistantMedia: true,
  typedAddresses: true,
  mayCutPrompts: false,
}

/** Ollama, llama.cpp, vLLM, LM Studio, OpenRouter: by the name the provider was given, which the package may camel-case. */
export function compatibleDialect(name: string): Dialect {
  const camelCased = name.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const namespaces = [name, camelCased] as const
  return { ...OPENAI_CHAT, namespaces, systemMessages: 'joined', media: COMMON_IMAGES, mayCutPrompts: true }
}

export function takesMedia({ media }: Dialect, mediaType: string): boolean {
  const family = `${mediaType.split('/')[0]}/*`
  return media.includes(mediaType) || media.includes(family)
}
