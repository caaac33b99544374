/** A real program that keeps its own history and is talked to through `longhaul run`, or without it. */
export interface ClientUnderTest {
  /** The origin of its sessions. */
  readonly name: string
  readonly versions: string
  /** A model that the client takes for one with a window of 200,000 tokens, or more. */
  readonly model: string
  /** The words with which it goes on from a summary of its own. */
  readonly goesOn: string
  /** The words with which its user hears of a refusal. */
  readonly refuses: RegExp
  readonly start: (setup: ClientSetup) => Promise<RunningClient>
}

export interface ClientSetup {
  /** Everything that the client keeps lies here. */
  readonly folder: string
  /** The files that the conversation asks for. */
  readonly workspace: string
  /** The vendor's address, without `/v1`. */
  readonly upstream: string
  readonly model: string
  /** False: the client talks to the vendor directly. */
  readonly longhaul: boolean
}

export interface RunningClient {
  readonly say: (text: string) => Promise<ClientReply>
  /** Asks the client for a compaction of its own. */
  readonly compact: () => Promise<ClientReply>
  /** Ends the client as its user would; resolves with what was printed on standard error. */
  readonly stop: () => Promise<string>
}

export interface ClientReply {
  readonly text: string
  /** Errors that the client's user sees. */
  readonly errors: readonly string[]
}
