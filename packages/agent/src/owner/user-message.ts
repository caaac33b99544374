import { readParts } from '@longhaul/engine/advanced'
import type { Part } from '@longhaul/engine/advanced'
import type { InboxItem } from '@longhaul/store/port'
import type { EntryDraft } from '../session/session-log.ts'

/** A message as it waits in the inbox becomes the user's entry, under the same id. */
export function readUserMessage({ id, payload }: InboxItem): EntryDraft {
  const text = typeof payload['text'] === 'string' ? payload['text'] : ''
  const attachments = Array.isArray(payload['attachments']) ? readParts(payload['attachments'], 'user') : []
  const parts: readonly Part[] = [...(text === '' ? [] : [{ type: 'text', text } as const]), ...attachments]
  return { type: 'message', role: 'user', id, parts }
}
