import { describe, expect, it } from 'vitest'
import { assistant, call, image, reasoning, result, tool, user } from '../../testing/build-conversation.ts'
import type { Message } from '../../transcript/message.ts'
import { sealRoles } from './seal-roles.ts'
import type { Repair } from './sealed-request.ts'

function seal(...messages: readonly Message[]) {
  const repairs: Repair[] = []
  const drafts = messages.map((message) => ({ ...message, kind: message.role, place: 'message' as const }))
  const sealed = sealRoles(drafts, repairs)
  const roles = sealed.map(
    ({ role, parts }) => `${role} ${parts.map((part) => ('text' in part ? part.text : part.type)).join('+')}`,
  )
  return { roles, repairs: repairs.map(({ kind, detail }) => `${kind}: ${detail}`) }
}

describe('sealRoles', () => {
  it('leaves alone what alternates', () => {
    const said = [user('a'), assistant('b', call('x')), tool(result('x')), assistant('c'), user('d')]
    expect(seal(...said)).toEqual({
      roles: ['user a', 'assistant b+tool-call', 'tool tool-result', 'assistant c', 'user d'],
      repairs: [],
    })
  })

  it('joins neighbours of one role', () => {
    expect(seal(user('a'), user('b'), assistant('c'), assistant('d'), user('e'))).toEqual({
      roles: ['user a+b', 'assistant c+d', 'user e'],
      repairs: ['messages-joined: user', 'messages-joined: assistant'],
    })
  })

  it('drops empty parts and messages, and what is left alternates again', () => {
    expect(seal(user(' \n'), user('a', ''), assistant(''), user('b'))).toEqual({
      roles: ['user a+b'],
      repairs: ['empty-dropped: user', 'empty-dropped: assistant', 'messages-joined: user'],
    })
  })

  it('drops an answer of reasoning alone; keeps reasoning beside something', () => {
    expect(seal(user('a'), assistant(reasoning('hm')), user('b')).roles).toEqual(['user a+b'])
    expect(seal(user('a'), assistant(reasoning('hm'), 'so'), user('b')).roles[1]).toBe('assistant hm+so')
  })

  it('keeps reasoning without text where it carries a provider’s signature', () => {
    const signed = { ...reasoning(''), providerOptions: { anthropic: { signature: 's' } } }
    expect(seal(user('a'), assistant(signed, reasoning(''), 'so'), user('b')).roles[1]).toBe('assistant +so')
  })

  it('keeps an image without words', () => {
    expect(seal(user('', image())).roles).toEqual(['user image'])
  })

  it('starts with the user and ends with something to answer', () => {
    expect(seal(assistant('a'))).toEqual({
      roles: ['user [The conversation goes on from here.]', 'assistant a', 'user Continue.'],
      repairs: ['message-added: [The conversation goes on from here.]', 'message-added: Continue.'],
    })
    expect(seal().roles).toEqual(['user Continue.'])
    expect(seal(user('a'), assistant(call('x')), tool(result('x'))).roles.at(-1)).toBe('tool tool-result')
  })
})
