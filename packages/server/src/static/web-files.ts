import { readdir, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

export interface WebFile {
  /** Where it lies. */
  readonly file: string
  readonly contentType: string
  /** Changes with the content. */
  readonly etag: string
  /** Its name changes with its content: it may be kept for ever. */
  readonly isHashed: boolean
  readonly isText: boolean
}

/** The files of a built web app by their paths. Only what was found in the folder can be asked for. */
export interface WebFiles {
  find(path: string): Promise<WebFile | null>
}

export const INDEX = '/index.html'

export function createWebFiles(folder: string): WebFiles {
  let files: ReadonlyMap<string, WebFile> = new Map()
  let builtAt: number | null = null

  /** A new build has a new index. */
  async function refresh(): Promise<void> {
    const changedAt = await stat(join(folder, INDEX)).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
    if (changedAt === builtAt) return
    files = changedAt === null ? new Map() : await listFiles(folder)
    builtAt = changedAt
  }

  return {
    async find(path) {
      if (path === INDEX || !files.has(path)) await refresh()
      return files.get(path) ?? null
    },
  }
}

/** Without links: they could lead out of the folder. */
async function listFiles(folder: string): Promise<ReadonlyMap<string, WebFile>> {
  const found = new Map<string, WebFile>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    const { size, mtimeMs } = await stat(file)
    const [contentType, isText] = TYPES[extname(file).toLowerCase()] ?? ['application/octet-stream', false]
    const isHashed = path.startsWith('/assets/')
    found.set(path, { file, contentType, isText, isHashed, etag: `"${size.toString(36)}-${mtimeMs.toString(36)}"` })
  }
  return found
}

const TYPES: Readonly<Record<string, readonly [contentType: string, isText: boolean]>> = {
  '.css': ['text/css; charset=utf-8', true],
  '.html': ['text/html; charset=utf-8', true],
  '.ico': ['image/x-icon', false],
  '.js': ['text/javascript; charset=utf-8', true],
  '.json': ['application/json', true],
  '.map': ['application/json', true],
  '.png': ['image/png', false],
  '.svg': ['image/svg+xml', true],
  '.txt': ['text/plain; charset=utf-8', true],
  '.wasm': ['application/wasm', true],
  '.webmanifest': ['application/manifest+json', true],
  '.woff2': ['font/woff2', false],
}
