// Aids for tests of programs that use the engine.
export { compaction, transcript } from './testing/build-entries.ts'
export { driveSession } from './testing/drive-session.ts'
export type { DriveOptions, DrivenSession } from './testing/drive-session.ts'
export { findInvalid } from './testing/find-invalid.ts'
export { hostCodec } from './testing/host-chat.ts'
export type { HostMessage } from './testing/host-chat.ts'
