import { describe, expect, it } from 'vitest'
import { assistant, call, reasoning, result, tool, user } from '../testing/build-conversation.ts'
import { transcript } from '../testing/build-entries.ts'
import type { Line } from '../testing/build-entries.ts'
import { isSearchable, searchableText } from './message-text.ts'

function textOf(line: Line): string | null {
  const [entry] = transcript(line)
  return entry !== undefined && isSearchable(entry) ? searchableText(entry) : null
}

describe('searchableText', () => {
  it('is what was said, asked of tools and answered by them', () => {
    expect(textOf(user('hello'))).toBe('hello')
    expect(textOf(assistant('hello'))).toBe('hello')
    expect(textOf(assistant({ ...call('c1', 'read_file'), input: { path: 'a.txt' } }))).toBe(
      'read_file\n{"path":"a.txt"}',
    )
    expect(textOf(tool(result('c1', 'content')))).toBe('content')
  })

  it('leaves out thoughts, images and what holds no word', () => {
    expect(textOf(assistant(reasoning('hm')))).toBeNull()
    expect(textOf(user(' \n!'))).toBeNull()
    expect(textOf({ type: 'message', role: 'user', parts: [{ type: 'image', image: 'aGVsbG8=' }] })).toBeNull()
    expect(textOf({ type: 'pin', text: 'words' })).toBeNull()
  })
})
