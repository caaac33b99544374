import { parentPort, workerData } from 'node:worker_threads'
import { openDriver } from './driver.ts'
import type { ThreadReply, ThreadRequest } from './run-in-thread.ts'

/** Started by `runInThread`. */
function answer({ file, statements, busyTimeoutMs }: ThreadRequest): ThreadReply {
  try {
    const connection = openDriver(file, { timeout: busyTimeoutMs })
    try {
      connection.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
      return { results: statements.map((sql) => connection.prepare(sql).all()) }
    } finally {
      connection.close()
    }
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number }
    return { failure: { message, errcode } }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(answer(workerData as ThreadRequest))
