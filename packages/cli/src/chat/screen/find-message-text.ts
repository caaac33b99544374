import type { Store } from '@longhaul/runtime'
import { textOfParts } from '../conversation/to-blocks.ts'

/** A message by its id, wherever it is by now; a dash for one that is nowhere. */
export async function findMessageText(store: Store, sessionId: string, id: string): Promise<string> {
  const waiting = (await store.inbox.list(sessionId)).find((item) => item.id === id)
  if (typeof waiting?.payload['text'] === 'string') return waiting.payload['text']
  const entry = await store.entries.find(sessionId, id)
  return entry?.type === 'message' ? textOfParts(entry.parts) : '–'
}
