import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createFolder, startApp } from '../testing/start-app.ts'
import type { AppUnderTest } from '../testing/start-app.ts'

const PAGE = '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><title>Longhaul</title>'
const SCRIPT = 'console.log("beds")\n'.repeat(200)
const html = { accept: 'text/html,application/xhtml+xml' }

async function build(): Promise<string> {
  const outside = await createFolder()
  const folder = join(outside, 'dist')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(outside, 'secret.txt'), 'a secret')
  await writeFile(join(folder, 'index.html'), PAGE)
  await writeFile(join(folder, 'icon.svg'), '<svg/>')
  await writeFile(join(folder, 'assets/index-1a2b.js'), SCRIPT)
  await symlink(join(outside, 'secret.txt'), join(folder, 'assets/link.txt'))
  return folder
}

async function open(): Promise<AppUnderTest> {
  return startApp({ webFolder: await build() })
}

describe('the web app', () => {
  it('its page has a nonce of its own in every answer, in the page and in the policy', async () => {
    const app = await open()
    const nonces = new Set<string>()
    for (const path of ['/', '/index.html', '/sessions/abc']) {
      const response = await app.request('GET', path, undefined, html)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-cache')
      const policy = response.headers.get('content-security-policy') ?? ''
      const [, nonce = 'none'] = /style-src 'self' 'nonce-([^']+)'/.exec(policy) ?? []
      expect(policy).toContain("script-src 'self';")
      expect(await response.text()).toBe(PAGE.replace('__CSP_NONCE__', nonce))
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(3)
  })

  it('files with a hash in their name are kept for ever, others are asked for again', async () => {
    const app = await open()
    const script = await app.request('GET', '/assets/index-1a2b.js')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await script.text()).toBe(SCRIPT)
    const icon = await app.request('GET', '/icon.svg')
    expect(icon.headers.get('cache-control')).toBe('no-cache')
    const again = await app.request('GET', '/icon.svg', undefined, { 'if-none-match': icon.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  it('squeezes text for those who can read it', async () => {
    const app = await open()
    const get = (encoding: string): Promise<Response> =>
      app.request('GET', '/assets/index-1a2b.js', undefined, { 'accept-encoding': encoding })
    const read = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer())
    const brotli = await get('gzip, deflate, br')
    expect(brotli.headers.get('content-encoding')).toBe('br')
    expect(brotliDecompressSync(await read(brotli)).toString()).toBe(SCRIPT)
    const gzipped = await get('gzip, br;q=0')
    expect(gzipped.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(await read(gzipped)).toString()).toBe(SCRIPT)
    expect((await get('identity')).headers.get('content-encoding')).toBeNull()
  })

  it('no path and no link leads out of the folder', async () => {
    const app = await open()
    const paths = [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/link.txt',
    ]
    const odd = ['/assets', '/assets/', '//secret.txt', '/assets/%00', '/C:/secret.txt', '/assets\\..\\..\\secret.txt']
    for (const path of [...paths, ...odd]) {
      const response = await app.request('GET', path)
      expect([path, response.status, (await response.text()).includes('a secret')]).toEqual([path, 404, false])
    }
  })

  it('a missing file is not the page, and neither is a missing route of the API', async () => {
    const app = await open()
    expect((await app.request('GET', '/assets/gone.js')).status).toBe(404)
    const route = await app.request('GET', '/api/none', undefined, html)
    expect(route.status).toBe(404)
    expect(await route.json()).toMatchObject({ error: { code: 'not-found' } })
  })

  it('a new build is seen without a restart', async () => {
    const folder = await build()
    const app = await startApp({ webFolder: folder })
    expect((await app.request('GET', '/')).status).toBe(200)
    await writeFile(join(folder, 'assets/index-3c4d.js'), 'new()')
    await utimes(join(folder, 'index.html'), 2_000_000_000, 2_000_000_000)
    expect(await (await app.request('GET', '/assets/index-3c4d.js')).text()).toBe('new()')
  })

  it('where there is none, a page says how to build it', async () => {
    const app = await startApp()
    const response = await app.request('GET', '/', undefined, html)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('npm run build')
  })
})
