// Conversations that another program keeps, mirrored in a store: what the packages below `hosts/` and the gateway stand on.
export { openHostSession } from './host/host-session.ts'
export { storedIdOf } from './host/host-record.ts'
export type { HostCall, HostSessionOptions } from './host/host-options.ts'
export type { HostSession, HostSyncOptions } from './host/host-session.ts'
export type { StoreChoice } from './host/choose-store.ts'
