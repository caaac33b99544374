import { outputText } from '@longhaul/engine/advanced'
import type { RequestItem } from '../carriers/carrier.ts'
import { clearAllBut } from './keep-rules.ts'
import { PLAIN_SUMMARY } from './peer.ts'
import type { Peer } from './peer.ts'

const MAX_OUTPUT_RESERVE_TOKENS = 20_000
const MARGIN_TOKENS = 13_000
const IDLE_MS = 60 * 60_000
const KEEP_RESULTS = 5
const RESTORED_FILES = 5
const RESTORED_FILE_CHARS = 5_000 * 4
const PATH_KEYS = ['file_path', 'path', 'notebook_path']

/** Its summary is written before the window is full, so nobody waits for it. */
export const claudeCode: Peer = {
  name: 'Claude Code',
  about:
    'at the window less output (at most 20,000) less 13,000, keeps nothing verbatim, puts 5 recent files back; after an idle hour clears all results but 5',
  source: 'Claude Code 2.1.x: changelog to 2.1.240 and third-party notes to 2.1.311, 2026-11',
  storage: { keep: 'head-tail', maxChars: 50_000 },
  summary: { ...PLAIN_SUMMARY, readsPrefix: true, maxOutputTokens: 20_000, isBackground: true },
  recoversFromOverflow: true,
  isDue: ({ tokens, windowTokens, maxOutputTokens, checkPoint }) =>
    checkPoint !== 'after-response' &&
    tokens > windowTokens - Math.min(maxOutputTokens, MAX_OUTPUT_RESERVE_TOKENS) - MARGIN_TOKENS
      ? 'the window less output less 13,000'
      : null,
  keep: ({ items }) => ({ restored: findRecentFiles(items) }),
  clear: ({ items, at, lastRequestAt }) =>
    lastRequestAt !== null && at - lastRequestAt > IDLE_MS
      ? clearAllBut(items, {
          keepLast: KEEP_RESULTS,
          reason: 'idle for an hour',
          placeholder: '[Old tool result content cleared]',
        })
      : null,
}

/** What the newest reads of five files showed; of longer ones the path alone. */
function findRecentFiles(items: readonly RequestItem[]): readonly string[] {
  const paths = new Map<string, string>()
  const files = new Map<string, string>()
  for (const { message } of items) {
    for (const part of message.parts) {
      if (part.type !== 'tool-call') continue
      const path = PATH_KEYS.map((key) => part.input[key]).find((value) => typeof value === 'string')
      if (typeof path === 'string') paths.set(part.toolCallId, path)
    }
  }
  for (const { message } of items.toReversed()) {
    for (const part of message.parts) {
      const path = part.type === 'tool-result' ? paths.get(part.toolCallId) : undefined
      if (part.type !== 'tool-result' || path === undefined || files.has(path) || files.size >= RESTORED_FILES) continue
      const text = outputText(part.output)
      files.set(path, text.length <= RESTORED_FILE_CHARS ? `${path}\n${text}` : path)
    }
  }
  return [...files.values()]
}
