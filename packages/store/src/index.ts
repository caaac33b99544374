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
export { StoreError } from './store-error.ts'
export type { StoreErrorCode } from './store-error.ts'
