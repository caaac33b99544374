/**
 * The part of opencode's plug-in interface that is used here, as `@opencode-ai/plugin` 1.18 declares it. Written down
 * again, because that package brings a runtime of its own and the plug-in needs nothing of it but these names.
 */
export interface Item {
  readonly info: ItemInfo
  readonly parts: readonly ItemPart[]
}

export interface ItemInfo {
  readonly id: string
  readonly sessionID: string
  readonly role: 'user' | 'assistant'
  readonly time: { readonly created: number; readonly completed?: number }
  /** The model that a user's message is for. */
  readonly model?: ModelName
  /** An answer's model. */
  readonly providerID?: string
  readonly modelID?: string
  readonly error?: { readonly name: string }
  /** A user's message keeps an object here. true: the answer is a summary of opencode's own. */
  readonly summary?: unknown
  readonly finish?: string
  readonly tokens?: ItemTokens
}

interface ItemTokens {
  readonly input: number
  readonly output: number
  readonly reasoning: number
  readonly cache: { readonly read: number; readonly write: number }
}

export type ItemPart = Readonly<Record<string, unknown>>

export interface ModelName {
  readonly providerID: string
  readonly modelID: string
}

export interface ModelLimit {
  readonly context: number
  readonly input?: number
  readonly output: number
}

export interface Model {
  readonly id: string
  readonly providerID: string
  readonly limit: ModelLimit
}

/** A call of opencode's server. Without `throwOnError`, `data` is missing where it failed. */
type Call<Options, Data> = (options: Options) => Promise<{ readonly data?: Data | undefined }>

interface OnSession {
  readonly path: { readonly id: string }
}

export interface Client {
  readonly config: {
    readonly providers: () => Promise<{
      readonly data?: { readonly providers: readonly { models: Readonly<Record<string, Model>> }[] } | undefined
    }>
  }
  readonly session: {
    readonly create: Call<{ body: { parentID: string; title: string } }, { readonly id: string }>
    readonly children: Call<OnSession, readonly { readonly id: string; readonly title: string }[]>
    readonly abort: Call<OnSession, unknown>
    readonly delete: Call<OnSession, unknown>
    readonly prompt: Call<
      OnSession & {
        body: { model: ModelName; agent: string; tools: { '*': false }; parts: { type: 'text'; text: string }[] }
      },
      Item
    >
  }
  readonly app: { readonly log: Call<{ body: { service: string; level: 'warn'; message: string } }, unknown> }
  readonly tui: { readonly showToast: Call<{ body: { message: string; variant: 'warning' } }, unknown> }
}

export interface PluginInput {
  readonly client: Client
}

export interface Config {
  readonly compaction?: { readonly auto?: boolean }
  readonly agent?: Readonly<Record<string, { readonly model?: string } | undefined>>
}

interface HostEvent {
  readonly type: string
  readonly properties: object
}

/** The fields of the events that are listened to. */
export interface EventFields {
  readonly info?: ItemInfo
  readonly sessionID?: string
  readonly error?: unknown
}

interface ToolDefinition {
  readonly description: string
  readonly args: Readonly<Record<string, unknown>>
  readonly execute: (
    input: Readonly<Record<string, unknown>>,
    context: { readonly sessionID: string },
  ) => Promise<string>
}

export interface Hooks {
  readonly config: (config: Config) => Promise<void>
  readonly event: (input: { readonly event: HostEvent }) => Promise<void>
  readonly dispose: () => Promise<void>
  readonly tool: Readonly<Record<string, ToolDefinition>>
  readonly 'chat.params': (
    input: { readonly sessionID: string; readonly model: Model },
    output: { maxOutputTokens: number | undefined },
  ) => Promise<void>
  readonly 'experimental.chat.messages.transform': (
    input: object,
    output: { readonly messages: Item[] },
  ) => Promise<void>
  readonly 'experimental.chat.system.transform': (
    input: { readonly sessionID?: string },
    output: { readonly system: string[] },
  ) => Promise<void>
  readonly 'experimental.session.compacting': (input: { readonly sessionID: string }) => Promise<void>
}
