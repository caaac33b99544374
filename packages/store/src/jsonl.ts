// Transcripts in and out, without a store.
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
