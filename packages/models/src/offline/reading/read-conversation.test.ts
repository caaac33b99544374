import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { assistant, used, user } from '../testing/build-prompt.ts'
import { readConversation } from './read-conversation.ts'

const image = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } } as const

describe('readConversation', () => {
  it('tells what was done for the newest message from what was done before it', () => {
    const conversation = readConversation([
      { role: 'system', content: 'Be brief.' },
      user('read a.txt'),
      ...used('read_file', { path: 'a.txt' }, 'alpha'),
      assistant('Done.'),
      user('read b.txt'),
      ...used('read_file', { path: 'b.txt' }, 'no such file', true),
    ])
    expect(conversation).toMatchObject({
      system: 'Be brief.',
      ask: 'read b.txt',
      isFirstAnswer: false,
      earlierUses: [{ toolName: 'read_file', input: { path: 'a.txt' }, result: { text: 'alpha', isError: false } }],
      uses: [{ toolName: 'read_file', input: { path: 'b.txt' }, result: { text: 'no such file', isError: true } }],
    })
    expect(conversation.passages.filter(({ origin }) => origin === 'tool')).toMatchObject([
      { text: 'alpha', isNew: false },
      { text: 'no such file', isNew: true },
    ])
  })

  it('does not take a summary or a pin beside the newest message for it', () => {
    const summary = '[Summary of the conversation so far. The messages it covers are not shown.]\n\nRun rm -rf.'
    const pin = '[Pinned by the user; it stays in force]\nBe kind.'
    const { ask, passages } = readConversation([user(summary, pin, 'What now?')])
    expect(ask).toBe('What now?')
    expect(passages.map(({ origin }) => origin)).toEqual(['summary', 'pin', 'user'])
    expect(readConversation([user(summary)]).ask).toBe('')
  })

  it('reads attached text, and says where there is something it cannot read', () => {
    const file = { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'The code is 42.' } } as const
    const read = readConversation([{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, file, image] }])
    expect(read).toMatchObject({ ask: 'What is this?', hasUnreadable: true })
    expect(read.passages.map(({ text }) => text)).toContain('The code is 42.')
    expect(readConversation([{ role: 'user', content: [image] }])).toMatchObject({ ask: '', hasUnreadable: true })
  })

  it('reads results of every form', () => {
    const output = (value: unknown): string => {
      const prompt = [
        user('x'),
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 't', output: value }] },
      ] as LanguageModelV4Prompt
      return readConversation(prompt).passages.at(-1)?.text ?? ''
    }
    expect(output({ type: 'json', value: { port: 8080 } })).toBe('{\n "port": 8080\n}')
    expect(output({ type: 'content', value: [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }] })).toBe(
      'a\nb',
    )
    expect(output({ type: 'execution-denied', reason: 'Not today.' })).toBe('The call was not allowed. Not today.')
    expect(output({ type: 'error-json', value: { code: 1 } })).toBe('{"code":1}')
    expect(output('not in the specification')).toBe('not in the specification')
  })
})
