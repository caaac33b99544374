import { describe, expect, it } from 'vitest'
import { assistant, numberLines, thought, toolCall, toolResult, user } from '../testing/build-entries.ts'
import type { Line } from '../testing/build-entries.ts'
import { isSearchable, searchableText } from './message-text.ts'

function textOf(line: Line): string | null {
  const [entry] = numberLines([line])
  return entry !== undefined && isSearchable(entry) ? searchableText(entry) : null
}

describe('searchableText', () => {
  it('is what was said, asked of tools and answered by them', () => {
    expect(textOf(user('hello'))).toBe('hello')
    expect(textOf(assistant('hello'))).toBe('hello')
    expect(textOf(toolCall('read_file', { path: 'a.txt' }))).toBe('read_file\n{"path":"a.txt"}')
    expect(textOf(toolResult('content'))).toBe('content')
  })

  it('leaves out thoughts, images and what holds no word', () => {
    expect(textOf(thought('hm'))).toBeNull()
    expect(textOf(user(' \n!'))).toBeNull()
    expect(textOf({ type: 'message', role: 'user', parts: [{ type: 'image', image: 'aGVsbG8=' }] })).toBeNull()
    expect(textOf({ type: 'pin', text: 'words' })).toBeNull()
  })
})
