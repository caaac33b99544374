import { isStanding } from '@longhaul/engine/advanced'
import type { MemoryChunk, MemoryKind } from '@longhaul/store/port'

const MAX_CHUNK_CHARS = 2_000
const BULLET = /^\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+/
/** Said in front of a note that is an instruction although its words do not show it. */
export const INSTRUCTION_MARK = 'Instruction: '
/** Said in front of what a page or a file said, and of instructions that the user did not give. */
export const FOREIGN_MARK = 'Not from the user: '

/** A memory file as what can be found in it: each bullet or paragraph is one piece, under the kind its words show. */
export function splitNotes(text: string): readonly MemoryChunk[] {
  const pieces: { readonly line: number; readonly lines: string[]; chars: number }[] = []
  let isOpen = false
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || /^#{1,6}\s/.test(line)) {
      isOpen = false
      continue
    }
    const last = isOpen ? pieces.at(-1) : undefined
    const isFull = last !== undefined && last.chars + line.length > MAX_CHUNK_CHARS
    if (last === undefined || isFull || BULLET.test(line)) {
      pieces.push({ line: index + 1, lines: [line.trim()], chars: line.trim().length })
    } else {
      last.lines.push(line.trim())
      last.chars += 1 + line.trim().length
    }
    isOpen = true
  }
  return pieces.map(({ line, lines }) => {
    const piece = lines.join('\n').slice(0, MAX_CHUNK_CHARS)
    return { kind: kindOf(piece), line, text: piece }
  })
}

function kindOf(text: string): MemoryKind {
  const bare = withoutBullet(text)
  if (isInstruction(bare)) return 'instruction'
  return bare === text ? 'note' : 'fact'
}

export function isInstruction(bare: string): boolean {
  if (bare.startsWith(FOREIGN_MARK)) return false
  return bare.startsWith(INSTRUCTION_MARK) || bare.split('\n').some(isStanding)
}

export function withoutBullet(text: string): string {
  return text.replace(BULLET, '')
}
