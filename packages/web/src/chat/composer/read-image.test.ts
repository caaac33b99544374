import { describe, expect, it } from 'vitest'
import { readImage } from './read-image.ts'

describe('an image to attach', () => {
  it('is read whole, as base64', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256)
    const { image, mediaType } = await readImage(new File([bytes], 'a.png', { type: 'image/png' }))
    expect(mediaType).toBe('image/png')
    expect(Buffer.from(image, 'base64').equals(bytes)).toBe(true)
  })

  it('is refused when it is too large, with its size', async () => {
    const large = new File([new Uint8Array(6_000_000)], 'large.png', { type: 'image/png' })
    await expect(readImage(large)).rejects.toThrow('large.png has 5.7 MB')
  })

  it('is refused when it is no image', async () => {
    await expect(readImage(new File(['a'], 'a.svg', { type: 'image/svg+xml' }))).rejects.toThrow('a.svg is no PNG')
  })
})
