import type { FilePart, ImagePart } from '@longhaul/engine/advanced'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMediaSource } from './media-source.ts'

const base64 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64')
const png = base64('\x89PNG\r\n\x1a\nrest')
const jpeg = base64('\xff\xd8\xff\xe0rest')
const webp = base64('RIFF\x01\x02\x03\x04WEBPrest')

function image(data: string, mediaType?: string): ImagePart {
  return { type: 'image', image: data, ...(mediaType === undefined ? {} : { mediaType }) }
}

function file(data: string, mediaType: string): FilePart {
  return { type: 'file', data, mediaType }
}

describe('readMediaSource', () => {
  it.each([
    ['base64', image(png, 'image/png'), { kind: 'bytes', base64: png, mediaType: 'image/png' }],
    ['base64 without a type', image(webp), { kind: 'bytes', base64: webp, mediaType: 'image/webp' }],
    ['a wrong type', image(png, 'image/jpeg'), { kind: 'bytes', base64: png, mediaType: 'image/png' }],
    ['a type no vendor knows', image(jpeg, 'image/jpg'), { kind: 'bytes', base64: jpeg, mediaType: 'image/jpeg' }],
    ['a data URL', image(`data:image/png;base64,${png}`), { kind: 'bytes', base64: png, mediaType: 'image/png' }],
    [
      'a data URL with parameters',
      file('data:text/plain;charset=utf-8;base64,aGk=', 'application/pdf'),
      { kind: 'text', text: 'hi', mediaType: 'text/plain' },
    ],
    [
      'a data URL of text',
      image('data:image/svg+xml,%3Csvg%2F%3E'),
      { kind: 'text', text: '<svg/>', mediaType: 'image/svg+xml' },
    ],
    [
      'an address',
      image('https://example.com/a.JPG?size=1'),
      { kind: 'address', url: 'https://example.com/a.JPG?size=1', mediaType: 'image/jpeg' },
    ],
    [
      'an address that tells no type',
      image('https://example.com/a'),
      { kind: 'address', url: 'https://example.com/a', mediaType: 'image/*' },
    ],
    ['text in base64', file('aGk=', 'text/markdown'), { kind: 'text', text: 'hi', mediaType: 'text/markdown' }],
    [
      'text as it is',
      file('Hello, world.', 'application/json'),
      { kind: 'text', text: 'Hello, world.', mediaType: 'application/json' },
    ],
    ['a document', file(base64('%PDF-1.4'), 'application/pdf'), { kind: 'bytes', mediaType: 'application/pdf' }],
    ['an image that is none', image('aGVsbG8=', 'image/png'), { kind: 'unreadable', mediaType: 'image/png' }],
    ['no data', image('', 'image/png'), { kind: 'unreadable', mediaType: 'image/png' }],
    ['what is not base64', file('<pdf>', 'application/pdf'), { kind: 'unreadable', mediaType: 'application/pdf' }],
    ['an address that is none', image('http://'), { kind: 'unreadable', mediaType: 'image/*' }],
  ])('reads %s', (_, part, expected) => {
    expect(readMediaSource(part)).toMatchObject(expected)
  })

  it('mends base64 that was wrapped, made for addresses or lost its padding', () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xfb, 0xff, 0xfe, 0x01])
    const wanted = bytes.toString('base64')
    const urlSafe = bytes.toString('base64url')
    for (const data of [urlSafe, `${wanted.slice(0, 5)}\r\n ${wanted.slice(5)}`]) {
      expect(readMediaSource(image(data))).toMatchObject({ kind: 'bytes', base64: wanted })
    }
  })

  it('reads anything at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.boolean(), (data, mediaType, isImage) => {
        const source = readMediaSource(isImage ? image(data, mediaType) : file(data, mediaType))
        if (source.kind === 'address') expect(URL.canParse(source.url)).toBe(true)
        if (source.kind === 'bytes') expect(source.base64).toMatch(/^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/)
      }),
    )
  })
})
