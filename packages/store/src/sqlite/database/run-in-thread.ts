import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** TypeScript here, JavaScript where the package is installed. */
const THREAD = new URL(`thread${extname(import.meta.url)}`, import.meta.url)

export type Row = Readonly<Record<string, unknown>>

/** What the thread is asked for, and what it answers. */
export interface ThreadRequest {
  readonly file: string
  readonly statements: readonly string[]
  readonly busyTimeoutMs: number
}

export type ThreadReply =
  | { readonly results: readonly (readonly Row[])[] }
  | { readonly failure: { readonly message: string; readonly errcode: number | undefined } }

/** For statements that go through the whole file: on a connection and thread of their own. The rows of each. */
export async function runInThread(request: ThreadRequest): Promise<readonly (readonly Row[])[]> {
  const worker = new Worker(THREAD, { workerData: request })
  const reply = await new Promise<ThreadReply>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The thread of ${request.file} ended with ${code}.`)))
  })
  if ('results' in reply) return reply.results
  throw Object.assign(new Error(reply.failure.message), { errcode: reply.failure.errcode })
}
