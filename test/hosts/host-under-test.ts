/** A real host that the tests talk to, with or without Longhaul in it. */
export interface HostUnderTest {
  /** The name of its folder below `hosts/`, which is also the origin of its sessions. */
  readonly name: string
  /** The packages that were tried, with their versions, as a person would install them. */
  readonly versions: string
  /** Starts the host on a conversation: a new one, or the one that its folder holds already. */
  readonly start: (setup: HostSetup) => Promise<RunningHost>
}

/** Plain JSON, so that it can be handed to another process. */
export interface HostSetup {
  /** Everything that the host keeps lies here, and outlives it. */
  readonly folder: string
  /** Holds the files that the conversation asks for. */
  readonly workspace: string
  /** Of a provider that speaks the format of OpenAI's Chat Completions and Responses; ends with `/v1`. */
  readonly baseURL: string
  readonly model: string
  readonly windowTokens: number
  readonly maxOutputTokens: number
  readonly sessionId: string
  /** null: the host is run without Longhaul. Else the SQLite file of its sessions. */
  readonly store: string | null
}

export interface RunningHost {
  /** One message of the user, and what the host's user gets to see. */
  readonly say: (text: string) => Promise<HostReply>
  /** SIGKILL, for whatever of the host is running. */
  readonly kill: () => Promise<void>
  /** Ends the host as its user would. */
  readonly stop: () => Promise<void>
}

export interface HostReply {
  readonly text: string
  /** Errors that the host's user sees. */
  readonly errors: readonly string[]
  /** Messages that were sent verbatim but are not the host's own objects. null: the host is not in a process of ours. */
  readonly copies: number | null
}
