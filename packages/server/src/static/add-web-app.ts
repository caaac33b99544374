import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Context } from 'hono'
import { answerFailure } from '../api-failure.ts'
import { isApiPath } from '../guard/api-path.ts'
import type { App } from '../server-context.ts'
import { chooseEncoding, squeeze } from './squeeze.ts'
import { INDEX, createWebFiles } from './web-files.ts'
import type { WebFile } from './web-files.ts'

/** Serves the built web app: its files as they are, and its page for every address that the page itself knows. */
export function addWebApp(app: App, webFolder: string | null): void {
  const files = webFolder === null ? null : createWebFiles(webFolder)
  const read = createReader()

  app.get('*', async (context) => {
    const { path } = context.req
    if (isApiPath(path)) return answerFailure(context, 'not-found', `There is nothing at ${path}.`)
    const file = path === '/' || path === INDEX ? null : ((await files?.find(path)) ?? null)
    if (file !== null) return answerWithFile(context, file, read)
    if (path !== '/' && path !== INDEX && !acceptsHtml(context))
      return answerFailure(context, 'not-found', `There is nothing at ${path}.`)
    const index = (await files?.find(INDEX)) ?? null
    return index === null ? answerWithoutApp(context) : answerWithPage(context, index)
  })
}

function acceptsHtml(context: Context): boolean {
  return context.req.header('accept')?.includes('text/html') === true
}

async function answerWithFile(context: Context, file: WebFile, read: Reader): Promise<Response> {
  const encoding = file.isText ? chooseEncoding(context.req.header('accept-encoding')) : null
  context.header('etag', file.etag)
  context.header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (file.isText) context.header('vary', 'Accept-Encoding')
  if (context.req.header('if-none-match')?.includes(file.etag) === true) return context.body(null, 304)
  context.header('content-type', file.contentType)
  if (encoding !== null) context.header('content-encoding', encoding)
  return context.body(await read(file, encoding))
}

type Reader = (file: WebFile, encoding: ReturnType<typeof chooseEncoding>) => Promise<Uint8Array<ArrayBuffer>>

/** Squeezes each file once. */
function createReader(): Reader {
  const squeezed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  return async ({ file, etag }, encoding) => {
    if (encoding === null) return new Uint8Array(await readFile(file))
    const key = `${encoding} ${etag} ${file}`
    const known = squeezed.get(key)
    if (known !== undefined) return known
    const made = readFile(file).then(async (bytes) => new Uint8Array(await squeeze(bytes, encoding)))
    squeezed.set(key, made)
    made.catch(() => squeezed.delete(key))
    return made
  }
}

/** Stands in the page where the nonce of each answer goes. */
const NONCE_MARK = '__CSP_NONCE__'

async function answerWithPage(context: Context, { file }: WebFile): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  const page = await readFile(file, 'utf8')
  context.header('content-security-policy', createPolicy(`'nonce-${nonce}'`))
  context.header('cache-control', 'no-cache')
  return context.html(page.replaceAll(NONCE_MARK, nonce))
}

function createPolicy(styleNonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${styleNonce}`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function answerWithoutApp(context: Context): Response {
  return context.html(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Longhaul</title>
<h1>Longhaul runs, but its web app has not been built</h1>
<p>The API is at <a href="/openapi.json">/openapi.json</a>. To build the web app, run <code>npm ci &amp;&amp; npm run build</code>
where Longhaul lies, and load this page again.</p></html>`,
    404,
  )
}
