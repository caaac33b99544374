import type { InboxKind, SessionRecord, Store } from '@longhaul/store/port'
import type { Models } from '@longhaul/models/port'
import type { Agent } from '../create-agent.ts'
import type { ContextReport } from '../inspect/context-report.ts'
import type { SessionStatus } from '../inspect/session-status.ts'
import type { AgentMemory, FoundNote } from '../memory/create-memory.ts'

/** What a command works with. */
export interface CommandContext {
  readonly agent: Agent
  readonly store: Store
  readonly models: Models
  readonly memory: AgentMemory
  readonly sessionId: string
  /** Made by the client: what a command does under it, it does once. */
  readonly requestId?: string
  readonly signal: AbortSignal
}

/** What a command found or did, as data: the terminal and the web page each show it in their own way. */
export type CommandResult =
  | { readonly command: 'status'; readonly status: SessionStatus }
  | { readonly command: 'context'; readonly form: 'list' | 'detail' | 'json'; readonly report: ContextReport }
  | {
      readonly command: 'compact'
      readonly tokensBefore: number
      readonly tokensAfter: number
      readonly score: number | null
    }
  | { readonly command: 'undo'; readonly undone: readonly string[]; readonly tokens: number | null }
  | { readonly command: 'new'; readonly session: SessionRecord }
  | { readonly command: 'reset' }
  | {
      readonly command: 'model'
      readonly model: string
      readonly choices: readonly string[]
      readonly didChange: boolean
    }
  | {
      readonly command: 'preset'
      readonly preset: string | null
      readonly choices: readonly string[]
      readonly didChange: boolean
    }
  | { readonly command: 'pin'; readonly id: string; readonly text: string }
  | {
      readonly command: 'pins'
      readonly pins: readonly { readonly number: number; readonly id: string; readonly text: string }[]
    }
  | { readonly command: 'unpin'; readonly number: number; readonly text: string }
  | { readonly command: 'recall'; readonly query: string; readonly found: readonly RecalledMessage[] }
  | {
      readonly command: 'memory'
      readonly query: string
      readonly files: readonly string[]
      readonly hits: readonly FoundNote[]
    }
  /** The session is a host's: the wish is stored, and the host carries it out at its next call. */
  | {
      readonly command: 'left-to-host'
      readonly wish: InboxKind
      readonly origin: string
      readonly id: string
    }
  | { readonly command: 'help'; readonly commands: readonly CommandHelp[] }

export interface RecalledMessage {
  readonly id: string
  readonly seq: number
  readonly at: number
  readonly role: string
  readonly text: string
}

export interface CommandHelp {
  readonly usage: string
  readonly summary: string
}

export interface Command extends CommandHelp {
  readonly name: CommandResult['command']
  run(argument: string, context: CommandContext): Promise<CommandResult>
}
