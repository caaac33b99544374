import { outputText } from '../messages/render-text.ts'
import type { Entry, MessageEntry } from '../transcript/entry.ts'
import { remember } from '../transcript/remember.ts'
import { hasWords } from './split-words.ts'

/** What of a message can be found: what was said, what tools were asked and what they answered. Not what the model thought. */
export function searchableText({ parts }: Pick<MessageEntry, 'parts'>): string {
  const texts: string[] = []
  for (const part of parts) {
    if (part.type === 'text') texts.push(part.text)
    else if (part.type === 'tool-call') texts.push(part.toolName, JSON.stringify(part.input))
    else if (part.type === 'tool-result') texts.push(outputText(part.output))
  }
  return texts.join('\n')
}

const known = remember((message: Pick<MessageEntry, 'parts'>) => ({ text: searchableText(message) }))

/** The same text, kept as long as the message is: for messages that are looked at again and again. */
export function knownText(message: Pick<MessageEntry, 'parts'>): string {
  return known(message).text
}

export function isSearchable(entry: Entry): entry is MessageEntry {
  return entry.type === 'message' && hasWords(searchableText(entry))
}
