import { StoreError } from '../store-error.ts'
import type { ImportedSession } from './imported-session.ts'
import { parseLines, splitAtHeaders } from './parse-lines.ts'
import { readChats } from './read-chats.ts'
import { readClaudeCode } from './read-claude-code.ts'
import { readLonghaul } from './read-longhaul.ts'
import { readPi } from './read-pi.ts'
import { isLonghaulHeader, isPiHeader, recogniseFormat } from './recognise-format.ts'

const EXPECTED =
  'Expected a Longhaul, OpenClaw/pi or Claude Code session as JSON lines, OpenAI chat messages, or AI SDK messages.'

/** Reads every session in a text. A damaged line is skipped and listed; only a text without any session throws. */
export function readTranscripts(text: string): readonly ImportedSession[] {
  const group = parseLines(text)
  const format = recogniseFormat(group.lines)
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
      throw new StoreError('unreadable-transcript', `${complaintAbout(text, group.lines.length)} ${EXPECTED}`)
    default:
      return format satisfies never
  }
}

function complaintAbout(text: string, objects: number): string {
  if (text.trim() === '') return 'The transcript is empty.'
  return objects === 0 ? 'The transcript holds no JSON object.' : 'The transcript is in no format that is known.'
}
