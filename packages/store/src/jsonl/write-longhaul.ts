import { readEntry } from '@longhaul/engine/advanced'
import type { Entry } from '@longhaul/engine/advanced'
import type { Transcript, TranscriptArtifact, TranscriptSession } from './imported-session.ts'

/** A session as JSON lines. `readTranscripts` gives back exactly what was written, entries of newer versions included. */
export function writeTranscript({ session, entries, artifacts }: Transcript): string {
  return [writeSessionLine(session), ...entries.map(writeEntryLine), ...artifacts.map(writeArtifactLine)].join('')
}

export function writeSessionLine(session: TranscriptSession): string {
  return writeLine({ type: 'session', version: 1, ...session })
}

export function writeEntryLine(entry: Entry): string {
  return writeLine(lineOf(entry))
}

export function writeArtifactLine(artifact: TranscriptArtifact): string {
  return writeLine({ type: 'artifact', ...artifact })
}

/** An entry of a newer version goes out as it came in, if reading it again gives this entry; else in our wrapper. */
function lineOf(entry: Entry): unknown {
  if (entry.type !== 'unknown' || Object.keys(entry).length > 5) return entry
  const { original } = entry
  if (original['type'] === 'session' || original['type'] === 'artifact') return entry
  const again = readEntry(original)
  const isSame =
    again?.type === 'unknown' &&
    again.original === original &&
    again.seq === entry.seq &&
    again.id === entry.id &&
    again.at === entry.at
  return isSame ? original : entry
}

/** Some line readers break at these too; JSON allows them inside strings, and only there. */
function writeLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029').replaceAll('\u0085', '\\u0085')}\n`
}
