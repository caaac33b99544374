import type { Session } from '@longhaul/protocol'

/** What a chat is called before it has a title of its own. */
export function titleOf({ title }: Pick<Session, 'title'>): string {
  return title === null || title.trim() === '' ? 'New chat' : title
}
