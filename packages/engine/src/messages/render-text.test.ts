import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryMessages } from '../testing/arbitrary-conversation.ts'
import { assistant, call, file, image, reasoning, result, text, tool, user } from '../testing/build-conversation.ts'
import type { FilePart } from '../transcript/message.ts'
import { outputText, renderMessage, renderMessages } from './render-text.ts'

const LIMITS = { toolInputChars: 200, resultMaxChars: 700, resultHeadChars: 500, resultTailChars: 200 }

describe('renderMessages', () => {
  it('writes a conversation as one text', () => {
    const conversation = [
      user('Fix the build', image(), file('log.txt', 'aGk=', 'text/plain')),
      assistant(
        reasoning('I should look first'),
        'I look.',
        call('a', 'read', { path: 'a.ts' }),
        call('b', 'bash', { command: 'npm test' }),
      ),
      tool(result('a', 'const a = 1'), result('b', 'exit 1', { toolName: 'bash', isError: true })),
      assistant(reasoning('nothing to say')),
      assistant('Done.'),
    ]
    expect(renderMessages(conversation)).toBe(
      [
        'User: Fix the build\n[image]\n[file log.txt, text/plain]',
        'Assistant: I look.\n[calls read {"path":"a.ts"}]\n[calls bash {"command":"npm test"}]',
        '[read answered] const a = 1\n[bash failed] exit 1',
        'Assistant: Done.',
      ].join('\n\n'),
    )
  })

  it('writes nothing for messages that say nothing', () => {
    expect(renderMessages([user(), user(''), assistant(reasoning('hm')), tool()])).toBe('')
    expect(renderMessages([])).toBe('')
  })

  it('joins what each message says, in order', () => {
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        const texts = messages.map((message) => renderMessage(message, LIMITS)).filter((line) => line !== '')
        expect(renderMessages(messages, LIMITS)).toBe(texts.join('\n\n'))
      }),
    )
  })
})

describe('renderMessage', () => {
  it('names a file without a name by its type', () => {
    const nameless: FilePart = { type: 'file', data: 'aGk=', mediaType: 'application/pdf' }
    expect(renderMessage(user(nameless))).toBe('User: [file, application/pdf]')
  })

  it('leaves out encoded data', () => {
    expect(renderMessage(tool(result('a', [text('see'), image(), file()])))).toBe(
      '[read answered] see\n[image]\n[file report.pdf, application/pdf]',
    )
  })

  it('MICRO-07 cuts tool inputs to 200 characters', () => {
    const input = { text: 'x'.repeat(300) }
    const json = JSON.stringify(input)
    expect(renderMessage(assistant(call('a', 'write', input)), LIMITS)).toBe(
      `Assistant: [calls write ${json.slice(0, 200)}…]`,
    )
    expect(renderMessage(assistant(call('a', 'write', input)))).toBe(`Assistant: [calls write ${json}]`)
  })

  it('MICRO-07 leaves an input of exactly 200 characters alone', () => {
    const input = { text: 'x'.repeat(200 - '{"text":""}'.length) }
    expect(JSON.stringify(input)).toHaveLength(200)
    expect(renderMessage(assistant(call('a', 'write', input)), LIMITS)).toBe(
      `Assistant: [calls write ${JSON.stringify(input)}]`,
    )
  })

  it('MICRO-07 shows the first 500 and the last 200 characters of a result over 700', () => {
    const output = `${'h'.repeat(500)}${'m'.repeat(400)}${'t'.repeat(200)}`
    expect(renderMessage(tool(result('a', output)), LIMITS)).toBe(
      `[read answered] ${'h'.repeat(500)}\n[… 400 characters left out …]\n${'t'.repeat(200)}`,
    )
    expect(renderMessage(tool(result('a', output)))).toBe(`[read answered] ${output}`)
  })

  it('MICRO-07 leaves a result of exactly 700 characters alone', () => {
    const output = 'x'.repeat(700)
    expect(renderMessage(tool(result('a', output)), LIMITS)).toBe(`[read answered] ${output}`)
  })

  it('never cuts what people say', () => {
    const words = 'word '.repeat(1_000)
    expect(renderMessage(user(words), LIMITS)).toBe(`User: ${words}`)
    expect(renderMessage(assistant(words), LIMITS)).toBe(`Assistant: ${words}`)
  })

  it('takes a single limit for the head', () => {
    expect(renderMessage(tool(result('a', 'x'.repeat(100))), { resultMaxChars: 10 })).toBe(
      `[read answered] ${'x'.repeat(10)}\n[… 90 characters left out …]\n`,
    )
  })
})

describe('outputText', () => {
  it('gives text as it is and names the rest', () => {
    expect(outputText('found')).toBe('found')
    expect(outputText([])).toBe('')
    expect(outputText([text('a'), image(), text('b')])).toBe('a\n[image]\nb')
  })
})
