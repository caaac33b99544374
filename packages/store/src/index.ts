export type { BackupInfo, BackupOptions, RecordCounts } from './backup/backup-format.ts'
export { checkBackup, readBackup } from './backup/read-backup.ts'
export { restoreBackup } from './backup/restore-backup.ts'
export { writeBackup } from './backup/write-backup.ts'
export type { WriteBackupOptions } from './backup/write-backup.ts'
export { followEvents } from './follow/follow-events.ts'
export type { FollowOptions } from './follow/follow-events.ts'
export { createInMemoryStore } from './in-memory/create-in-memory-store.ts'
export type { InMemoryStoreOptions } from './in-memory/create-in-memory-store.ts'
export type {
  ImportedSession,
  SkippedLine,
  Transcript,
  TranscriptArtifact,
  TranscriptFormat,
  TranscriptSession,
} from './jsonl/imported-session.ts'
export { readTranscripts } from './jsonl/read-transcripts.ts'
export { writeTranscript } from './jsonl/write-longhaul.ts'
export { createOwner } from './owner/owner.ts'
export type { Store } from './port/store.ts'
export { DEFAULT_RETENTION, applyRetention } from './retention/apply-retention.ts'
export type { Retention, RetentionOptions, RetentionReport } from './retention/apply-retention.ts'
export { createSqliteStore } from './sqlite/create-sqlite-store.ts'
export type { SqliteStoreOptions } from './sqlite/create-sqlite-store.ts'
export { makeFolder } from './sqlite/database/make-folder.ts'
export { StoreError } from './store-error.ts'
export type { StoreErrorCode } from './store-error.ts'
export { exportSession } from './transfer/export-session.ts'
export { importTranscript } from './transfer/import-transcript.ts'
export type { ImportOptions, ImportReport, StoredTranscript } from './transfer/import-transcript.ts'
export { verifyStore } from './verify/verify-store.ts'
export type { VerifyOptions, VerifyReport } from './verify/verify-store.ts'
