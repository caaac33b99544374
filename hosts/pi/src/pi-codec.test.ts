import { describe, expect, it } from 'vitest'
import type { PiMessage } from './pi-api.ts'
import { piCodec } from './pi-codec.ts'
import { MADE_HERE, readBranch, restoreHistory } from './restore-history.ts'

const at = 1_700_000_000_000
const thinking = { type: 'thinking', thinking: 'Look first.', thinkingSignature: 'opaque' } as const
const said = { type: 'text', text: 'I look.', textSignature: 'opaque' } as const
const call = { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a.md' }, thoughtSignature: 'x' } as const
const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const
const answer: PiMessage = { role: 'assistant', content: [thinking, said, call], stopReason: 'toolUse', timestamp: at }

describe('the codec of pi', () => {
  it('reads every kind of message', () => {
    expect(
      piCodec.read({ role: 'user', content: ['a', 'b'].map((text) => ({ type: 'text', text })), timestamp: at }),
    ).toMatchObject({ role: 'user', parts: [{ text: 'a' }, { text: 'b' }] })
    expect(piCodec.read({ role: 'user', content: [image], timestamp: at })?.parts).toEqual([
      { type: 'image', image: 'aGk=', mediaType: 'image/png' },
    ])
    expect(piCodec.read(answer)?.parts.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool-call'])
    const result: PiMessage = { role: 'toolResult', toolCallId: 'c1', toolName: 'read', isError: true, timestamp: at }
    expect(piCodec.read({ ...result, content: [{ type: 'text', text: 'no such file' }] })).toEqual({
      role: 'tool',
      parts: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: 'no such file', isError: true }],
    })
    expect(piCodec.read({ ...result, content: [image] })?.parts[0]).toMatchObject({ output: [{ type: 'image' }] })
    const shell = { role: 'bashExecution', command: 'ls', output: 'a.md', exitCode: 2, timestamp: at }
    expect(piCodec.read(shell)?.parts).toEqual([{ type: 'text', text: 'Ran `ls`\na.md\nCode 2' }])
    expect(piCodec.read({ role: 'branchSummary', summary: 'It went well.', timestamp: at })?.parts).toHaveLength(1)
    expect(piCodec.read({ role: 'custom', content: 'A note.', timestamp: at })?.role).toBe('user')
  })

  it('leaves alone what pi does not send', () => {
    expect(piCodec.read({ role: 'bashExecution', command: 'ls', excludeFromContext: true, timestamp: at })).toBeNull()
    expect(piCodec.read({ ...answer, stopReason: 'aborted' })).toBeNull()
    expect(piCodec.read({ role: 'of-another-extension', timestamp: at })).toBeNull()
    const unknown = { ...answer, content: [{ type: 'of-a-later-pi' }] } as unknown as PiMessage
    expect(piCodec.read(unknown)).toBeNull()
  })

  it('writes a changed answer with pi’s own blocks, which carry signatures', () => {
    const parts = (piCodec.read(answer)?.parts ?? []).slice(1)
    const written = piCodec.write({ role: 'assistant', parts }, answer, { at: 0 })
    expect(written).toEqual({ ...answer, content: [said, call] })
    expect(written.content?.[1]).toBe(call)
  })

  it('writes a shortened result over the original, and what nobody said with the time of its making', () => {
    const details = { full: '/tmp/out' }
    const original = {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'read',
      content: [image],
      timestamp: at,
      details,
    }
    const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: '[cut]' } as const
    const written = piCodec.write({ role: 'tool', parts: [result] }, original, { at: 5 })
    expect(written).toEqual({ ...original, isError: false, content: [{ type: 'text', text: '[cut]' }] })
    const summary = piCodec.write({ role: 'user', parts: [{ type: 'text', text: 'A summary' }] }, null, { at: 5 })
    expect(summary).toEqual({ role: 'user', content: [{ type: 'text', text: 'A summary' }], timestamp: 5 })
  })
})

describe('the history behind a compaction that Longhaul answered', () => {
  const user = (text: string): PiMessage => ({ role: 'user', content: text, timestamp: at })
  const line = (id: string, more: object) => ({ id, timestamp: new Date(at).toISOString(), type: 'message', ...more })
  const compaction = (id: string, firstKeptEntryId: string, details: unknown) =>
    line(id, { type: 'compaction', summary: `Summary ${id}`, firstKeptEntryId, details })
  const three = ['a', 'b', 'c'].map((id) => line(id, { message: user(id) }))
  const summary = { role: 'compactionSummary', summary: 'Summary k', timestamp: at }

  it('is whole again, with what was edited and left out', () => {
    const edits = [
      line('e', { type: 'context_edit', targetId: 'a', replacement: null }),
      line('f', { type: 'context_edit', targetId: 'b', replacement: { content: 'B' } }),
    ]
    const branch = [...three, ...edits, compaction('k', 'c', MADE_HERE)]
    expect(restoreHistory([summary, user('c'), user('d')], branch)).toEqual([user('B'), user('c'), user('d')])
  })

  it('ends at a compaction that pi made by itself', () => {
    const branch = [...three, compaction('k', 'b', undefined), line('d', { message: user('d') })]
    const list = [summary, user('b'), user('c'), user('d')]
    expect(restoreHistory(list, branch)).toBe(list)
    expect(readBranch(branch).map(({ message }) => message)).toEqual(list)
    const later = [...branch, compaction('l', 'd', MADE_HERE)]
    expect(restoreHistory([summary, user('d')], later)).toEqual(list)
  })
})
