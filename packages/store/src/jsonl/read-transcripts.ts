import { StoreError } from '../store-error.ts'
import type { ImportedSession } from './imported-session.ts'
import { createLineParser, splitAtHeaders } from './parse-lines.ts'
import type { LineGroup } from './parse-lines.ts'
import { readChats } from './read-chats.ts'
import { readClaudeCode } from './read-claude-code.ts'
import { readLonghaul } from './read-longhaul.ts'
import { readPi } from './read-pi.ts'
import { isLonghaulHeader, isPiHeader, recogniseFormat } from './recognise-format.ts'
import type { LineFormat } from './recognise-format.ts'

const EXPECTED =
  'Expected a Longhaul, OpenClaw/pi or Claude Code session as JSON lines, OpenAI chat messages, or AI SDK messages.'

/** Reads every session in a text. A damaged line is skipped and listed; only a text without any session throws. */
export function readTranscripts(text: string): readonly ImportedSession[] {
  const reader = createTranscriptReader()
  reader.add(text)
  return reader.finish()
}

/** The same for a text that comes in pieces. */
export interface TranscriptReader {
  /** Throws as soon as it is clear that nothing can come of it. */
  add(piece: string): void
  finish(): readonly ImportedSession[]
}

/** So many objects that no format is known by are not followed by one that is. */
const MAX_UNKNOWN = 10_000

export function createTranscriptReader(): TranscriptReader {
  const parser = createLineParser()
  let format: LineFormat | null = null
  let isBlank = true
  let looked = 0
  return {
    add(piece) {
      parser.add(piece)
      isBlank &&= piece.trim() === ''
      format ??= recogniseFormat(parser.lines.slice(looked))
      looked = parser.lines.length
      if (format === null && looked > MAX_UNKNOWN) throw unreadable('The transcript is in no format that is known.')
    },
    finish() {
      const group = parser.finish()
      if (isBlank) throw unreadable('The transcript is empty.')
      if (group.lines.length === 0) throw unreadable('The transcript holds no JSON object.')
      return readGroup(group, format ?? recogniseFormat(group.lines))
    },
  }
}

function readGroup(group: LineGroup, format: LineFormat | null): readonly ImportedSession[] {
  switch (format) {
    case 'longhaul':
      return splitAtHeaders(group, isLonghaulHeader).map(readLonghaul)
    case 'pi':
      return splitAtHeaders(group, isPiHeader).map(readPi)
    case 'claude-code':
      return [readClaudeCode(group)]
    case 'chat':
      return readChats(group)
    case null:
      throw unreadable('The transcript is in no format that is known.')
    default:
      return format satisfies never
  }
}

function unreadable(complaint: string): StoreError {
  return new StoreError('unreadable-transcript', `${complaint} ${EXPECTED}`)
}
