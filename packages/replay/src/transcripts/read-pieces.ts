import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** Some lines of a file, with the header that they need to be understood. */
export interface Piece {
  readonly text: string
  readonly bytes: number
  /** Its first conversation is the one that the piece before ended in. */
  readonly isNext: boolean
  /** Where a line of the text stands in the file. */
  readonly lineOf: (line: number) => number
}

const PIECE_CHARS = 4 * 1024 * 1024
const PIECE_LINES = 4_000

/** Cut between lines; a header is repeated for every piece of its session. */
export async function* readPieces(path: string): AsyncIterable<Piece> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
  let header: string | null = null
  let gathered: string[] = []
  let [chars, before, isNext] = [0, 0, false]

  const take = (): Piece => {
    const repeated = isNext && header !== null ? [header] : []
    const [first, shift] = [before, repeated.length]
    const piece = {
      text: [...repeated, ...gathered].join('\n'),
      bytes: chars,
      isNext,
      lineOf: (line: number): number => first + line - shift,
    }
    before += gathered.length
    header = gathered.findLast(isHeader) ?? header
    // Where each line is a conversation, none goes on in the next piece.
    isNext = !isConversation(gathered.at(-1) ?? '')
    gathered = []
    chars = 0
    return piece
  }
  for await (const line of lines) {
    gathered.push(line)
    chars += line.length + 1
    if (chars >= PIECE_CHARS || gathered.length >= PIECE_LINES) yield take()
  }
  if (gathered.some((line) => line.trim() !== '')) yield take()
}

/** Of Longhaul, pi or OpenClaw; told by its first fields, because a message may say anything. */
function isHeader(line: string): boolean {
  return /^\s*\{\s*"(?:type"\s*:\s*"session"|kind"\s*:\s*"header")/.test(line)
}

function isConversation(line: string): boolean {
  return /^\s*\{(?:\s*"(?:id|title|system|model)"\s*:\s*(?:"[^"]*"|\d+)\s*,)*\s*"messages"\s*:\s*\[/.test(line)
}
