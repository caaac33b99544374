import { describe, expect, it } from 'vitest'
import { newMessageSchema } from './message.ts'

describe('a new message', () => {
  it.each([
    [{ text: 'Hello' }],
    [{ text: '', id: 'a-1.b:c_2', attachments: [{ type: 'image', image: 'aGk=', mediaType: 'image/png' }] }],
    [{ text: 'See', attachments: [{ type: 'file', data: '', mediaType: 'text/plain', filename: 'a.txt' }] }],
  ])('%j is taken', (message) => {
    expect(newMessageSchema.parse(message)).toEqual(message)
  })

  it.each([
    ['no text', {}],
    ['a text that is none', { text: 7 }],
    ['a key nobody knows', { text: 'Hello', role: 'system' }],
    ['an id with a space', { text: 'Hello', id: 'a b' }],
    ['an id of half a kilobyte', { text: 'Hello', id: 'a'.repeat(500) }],
    [
      'an image by its address',
      { text: '', attachments: [{ type: 'image', image: 'http://a.example/b', mediaType: 'image/png' }] },
    ],
    ['a media type that is none', { text: '', attachments: [{ type: 'image', image: 'aGk=', mediaType: 'png' }] }],
  ])('%s is refused', (_, message) => {
    expect(newMessageSchema.safeParse(message).success).toBe(false)
  })
})
