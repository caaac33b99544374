import { parentPort } from 'node:worker_threads'
import { StoreError } from '../store-error.ts'
import { createTextHolder } from './text-holder.ts'
import type { ThreadAnswer, ThreadRequest } from './read-text.ts'

/** Started by `readText`. Each request is answered once. */
const holder = createTextHolder()

function answer(request: Exclude<ThreadRequest, { readonly type: 'close' }>): ThreadAnswer {
  switch (request.type) {
    case 'text':
      holder.add(request.piece)
      return { type: 'taken' }
    case 'end':
      return { type: 'read', ...holder.finish() }
    case 'entries':
      return { type: 'entries', entries: holder.entriesFrom(request.session, request.from) }
    case 'artifacts':
      return { type: 'artifacts', artifacts: holder.artifactsOf(request.session) }
    default:
      return request satisfies never
  }
}

function answerOrRefuse(request: Parameters<typeof answer>[0]): ThreadAnswer {
  try {
    return answer(request)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return { type: 'refused', code: error.code, message: error.message }
  }
}

parentPort?.on('message', (request: ThreadRequest) => {
  if (request.type === 'close') {
    parentPort?.close()
    return
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answerOrRefuse(request))
})
