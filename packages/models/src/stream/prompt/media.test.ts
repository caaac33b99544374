import { describe, expect, it } from 'vitest'
import { ANTHROPIC, GOOGLE, compatibleDialect } from './dialect.ts'
import type { Dialect } from './dialect.ts'
import { convertMedia } from './media.ts'

const gif = Buffer.from('GIF89a').toString('base64')
const supportedUrls = { 'image/*': [/^https:/g] }

function convert(dialect: Dialect, image: string, urls: Record<string, RegExp[]> = supportedUrls) {
  const converted = convertMedia({ type: 'image', image }, { dialect, supportedUrls: urls })
  return converted.type === 'text' ? converted.text : converted.mediaType
}

describe('convertMedia', () => {
  it('passes on what the vendor takes and names the rest', () => {
    expect(convert(ANTHROPIC, gif)).toBe('image/gif')
    expect(convert(GOOGLE, gif)).toBe('[image, image/gif, left out: the model takes no such files]')
    expect(convert(ANTHROPIC, 'aGVsbG8=')).toBe('[image, image/*, left out: the model takes no such files]')
  })

  it('passes on an address only where the provider reads such addresses', () => {
    const address = 'https://example.com/a.png'
    // Twice: a pattern with a flag must not remember the first time.
    expect([convert(ANTHROPIC, address), convert(ANTHROPIC, address)]).toEqual(['image/png', 'image/png'])
    expect(convert(ANTHROPIC, 'http://example.com/a.png')).toContain('http://example.com/a.png is not read from here')
    expect(convert(compatibleDialect('ollama'), address, {})).toContain('is not read from here')
    expect(convert(ANTHROPIC, address, { 'application/pdf': [/./] })).toContain('is not read from here')
    expect(convert(ANTHROPIC, address, { '*/*': [/./] })).toBe('image/png')
  })

  it('passes on an address of unknown type only where the type is not asked for', () => {
    const address = 'https://example.com/a'
    expect(convert(ANTHROPIC, address)).toBe('image/*')
    expect(convert(GOOGLE, address)).toContain('is not read from here')
    expect(convert(GOOGLE, 'https://example.com/a.gif')).toContain('is not read from here')
  })

  it('sends a text file as text, under its name', () => {
    const part = { type: 'file', data: 'YSxi', mediaType: 'text/csv', filename: 'x.csv' } as const
    expect(convertMedia(part, { dialect: ANTHROPIC, supportedUrls })).toEqual({
      type: 'text',
      text: '[file "x.csv"]\n\na,b',
    })
    expect(convertMedia({ ...part, data: 'IA==' }, { dialect: ANTHROPIC, supportedUrls })).toEqual({
      type: 'text',
      text: '[file "x.csv", text/csv, left out: it is empty]',
    })
  })
})
