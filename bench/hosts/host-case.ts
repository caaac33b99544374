/** One way in which programs call a host, for `npm run bench -- hosts`. */
export interface HostCase {
  readonly host: string
  readonly way: string
  /** Opens the same conversation three times: without a hook, with one that does nothing, and with Longhaul, whose store lies in the folder. */
  readonly open: (setup: HostCaseSetup) => Promise<OpenHostCase>
}

export interface HostCaseSetup {
  readonly folder: string
  /** Messages of the user and the assistant in turns, which the conversation begins with. */
  readonly texts: readonly string[]
}

export interface OpenHostCase {
  /** One message of the user and its answer, after which the conversation is two messages longer. */
  readonly plain: (text: string) => Promise<void>
  /** With an empty hook in Longhaul's place: what the host itself spends on having one. */
  readonly withEmptyHook: (text: string) => Promise<void>
  readonly withLonghaul: (text: string) => Promise<void>
  readonly close: () => Promise<void>
}
