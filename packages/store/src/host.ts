// Conversations that another program keeps, mirrored in a store: what the packages below `hosts/` and the gateway stand on.
export { createHostControls } from './host/create-host-controls.ts'
export type { HostControls } from './host/create-host-controls.ts'
export { openHostSession } from './host/host-session.ts'
export type { HostCall, HostSessionOptions } from './host/host-options.ts'
export type { HostSession, HostSyncOptions } from './host/host-session.ts'
export type { StoreChoice } from './host/choose-store.ts'
export { readMedia } from './host/read-media.ts'
export { RECALL_TOOL } from './host/recall-tool.ts'
