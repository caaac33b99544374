import { neutralizeWithin } from '../messages/neutralize.ts'
import { shortenEnd } from '../messages/shorten.ts'
import { sliceHead } from '../messages/slice-text.ts'
import { DEFAULT_PRESET, PRESETS } from '../policy/presets.ts'
import { usableLimit } from './usable-limit.ts'

/** A file that is put into the system prompt of a session: rules, memory, notes on the workspace. */
export interface BootstrapFile {
  readonly name: string
  readonly text: string
  /** Somebody else than the owner and the user wrote it: it stands in a frame that says so. */
  readonly isForeign?: boolean
}

export interface LimitedBootstrapFile extends BootstrapFile {
  readonly truncated: boolean
  readonly totalChars: number
}

const DEFAULT_MAX_CHARS = PRESETS[DEFAULT_PRESET].bootstrapMaxChars
const NAME_CHARS = 100

/** Keeps the head. The marker comes on top of the limit and names the file, so that the model can read the rest itself. */
export function limitBootstrapFile(file: BootstrapFile, maxChars: number): LimitedBootstrapFile {
  const { name, text } = file
  const totalChars = text.length
  const limit = usableLimit(maxChars, DEFAULT_MAX_CHARS)
  if (totalChars <= limit) return { ...file, truncated: false, totalChars }
  const head = sliceHead(text, limit)
  const label = shortenEnd(neutralizeWithin(name), NAME_CHARS)
  const marker = `[... ${label} truncated, showing first ${head.length} characters of ${totalChars} total ...]`
  return { ...file, text: `${head}\n\n${marker}`, truncated: true, totalChars }
}
