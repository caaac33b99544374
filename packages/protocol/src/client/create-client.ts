import type { Rights } from '../approval.ts'
import type { AuditSession, AuditStatus, NewAudit } from '../audit.ts'
import type { CommandHelp, CommandResult } from '../command.ts'
import type { Compaction } from '../compaction.ts'
import type { ContextReport, ContextText } from '../context.ts'
import type { List } from '../list.ts'
import type { Mark } from '../mark.ts'
import type { MemoryFile, MemoryHit, MemoryText, Recalled } from '../memory.ts'
import type { Accepted, Message, NewMessage } from '../message.ts'
import type { Health, Model, Preset } from '../model.ts'
import type { Pin } from '../pin.ts'
import type { Request as SentRequest, RequestDetail } from '../request.ts'
import type { NewSession, Session, SessionChange, SessionStatus } from '../session.ts'
import type { Imported } from '../transfer.ts'
import { createTransport } from './create-transport.ts'
import type { ClientOptions } from './create-transport.ts'
import { followEvents } from './follow-events.ts'
import type { FollowOptions, NumberedEvent } from './follow-events.ts'

export interface Page {
  readonly after?: string
  readonly before?: string
  readonly limit?: number
}

/** The server's API, typed. Every method rejects with an `ApiError`. */
export type Client = ReturnType<typeof createClient>

export function createClient(server: ClientOptions = {}) {
  const { send, get, change, ask } = createTransport(server)
  const at = (id: string, rest = ''): string => `/api/sessions/${encodeURIComponent(id)}${rest}`

  return {
    health: () => get<Health>('/api/health'),
    listModels: () => get<List<Model>>('/api/models'),
    listPresets: () => get<List<Preset>>('/api/presets'),
    listCommands: () => get<List<CommandHelp>>('/api/commands'),

    listSessions: (page: Page & { readonly query?: string } = {}) => get<List<Session>>('/api/sessions', { ...page }),
    createSession: (session: NewSession = {}) => change<Session>('POST', '/api/sessions', session),
    /** A long conversation written for looking around, as a session of its own. */
    createSample: () => change<Session>('POST', '/api/sessions/sample'),
    getSession: (id: string) => get<Session>(at(id)),
    getStatus: (id: string) => get<SessionStatus>(at(id, '/status')),
    changeSession: (id: string, what: SessionChange) => ask<Session>('PATCH', at(id), what),
    deleteSession: (id: string, { purge = false } = {}) => change<void>('DELETE', at(id, purge ? '?purge=true' : '')),
    /** Where an id is taken, the session becomes a copy under a new one; `copies` names them. */
    importSession: async (transcript: string | Blob) => {
      const response = await send('/api/sessions/import', { method: 'POST', body: transcript })
      return (await response.json()) as Imported
    },
    exportSession: async (id: string): Promise<Blob> => (await send(at(id, '/export'))).blob(),

    listMessages: (id: string, page: Page = {}) => get<List<Message>>(at(id, '/messages'), { ...page }),
    /** Durable when it resolves; the answer comes as events. */
    sendMessage: (id: string, message: NewMessage) => change<Accepted>('POST', at(id, '/messages'), message),
    follow: (id: string, options: FollowOptions): AsyncGenerator<NumberedEvent> => followEvents(send, id, options),

    compact: (id: string, instructions?: string) =>
      ask<Compaction>('POST', at(id, '/compact'), instructions === undefined ? {} : { instructions }),
    undo: (id: string) => ask<{ readonly undone: readonly string[] }>('POST', at(id, '/undo')),
    reset: (id: string) => ask<void>('POST', at(id, '/reset')),
    cancel: (id: string) => change<void>('POST', at(id, '/cancel')),
    /** Whether this client may allow tool calls; anybody may refuse them. */
    getRights: () => get<Rights>('/api/rights'),
    /** To allow takes a page that was opened from the server's one-time address, or its token; else `forbidden`. */
    approve: (id: string, callId: string, allow: boolean) =>
      change<void>('POST', at(id, `/approvals/${encodeURIComponent(callId)}`), { allow }),
    runCommand: (id: string, line: string) => change<CommandResult>('POST', at(id, '/commands'), { line }),

    listPins: (id: string) => get<List<Pin>>(at(id, '/pins')),
    addPin: (id: string, text: string) => ask<Pin>('POST', at(id, '/pins'), { text }),
    removePin: (id: string, pinId: string) => ask<void>('DELETE', at(id, `/pins/${encodeURIComponent(pinId)}`)),
    recall: (id: string, query: string) => get<List<Recalled>>(at(id, '/recall'), { query }),

    getContext: (id: string) => get<ContextReport>(at(id, '/context')),
    getContextText: (id: string, itemId: string) => get<ContextText>(at(id, `/context/${encodeURIComponent(itemId)}`)),
    listRequests: (id: string, page: Page = {}) => get<List<SentRequest>>(at(id, '/requests'), { ...page }),
    getRequest: (id: string, number: number) => get<RequestDetail>(at(id, `/requests/${number}`)),
    /** What was done to the context, oldest first. */
    listMarks: (id: string) => get<List<Mark>>(at(id, '/marks')),
    listCompactions: (id: string) => get<List<Compaction>>(at(id, '/compactions')),
    getArtifact: async (id: string, artifactId: string) => {
      const response = await send(at(id, `/artifacts/${encodeURIComponent(artifactId)}`))
      return response.text()
    },

    /** Reads the state and result of the audit. Like approving a tool call, it needs a page that a person opened. */
    getAudit: () => get<AuditStatus>('/api/audit'),
    startAudit: (wishes: NewAudit = {}) => change<AuditStatus>('POST', '/api/audit', wishes),
    stopAudit: () => change<void>('DELETE', '/api/audit'),
    /** As a page in one file; `isShared` leaves out all texts of the sessions. */
    getAuditPage: async (isShared: boolean): Promise<Blob> =>
      (await send(`/api/audit/page?share=${isShared}`, { headers: { accept: 'text/html' } })).blob(),
    getAuditedSession: (number: number) => get<AuditSession>(`/api/audit/sessions/${number}`),

    searchMemory: (query: string) => get<List<MemoryHit>>('/api/memory', { query }),
    listMemoryFiles: () => get<List<MemoryFile>>('/api/memory/files'),
    getMemoryFile: (name: string) => get<MemoryText>(`/api/memory/files/${encodeURIComponent(name)}`),
  }
}
