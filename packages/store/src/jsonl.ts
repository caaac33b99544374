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
// For readers of further formats, which build entries the same way.
export { createEntryList } from './jsonl/entry-list.ts'
export type { EntryList, MessageFields, Origin, PeerCompaction } from './jsonl/entry-list.ts'
export { createSkipList, parseJson, splitAtHeaders } from './jsonl/parse-lines.ts'
export type { Fields, Line, LineGroup, SkipList } from './jsonl/parse-lines.ts'
export { readClaudeCode } from './jsonl/read-claude-code.ts'
export { readPi } from './jsonl/read-pi.ts'
export {
  optional,
  outputOf,
  readBilledTokens,
  readCount,
  readModelId,
  readString,
  readTime,
  recordAt,
} from './jsonl/read-values.ts'
export { isPiHeader, recogniseFormat } from './jsonl/recognise-format.ts'
