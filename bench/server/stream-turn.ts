import { readEvents } from '@longhaul/protocol'
import type { SessionEventType } from '@longhaul/protocol'
import { LONG_TEXT } from './answer.ts'

const ORDER: readonly SessionEventType[] = ['message-stored', 'text-delta', 'usage', 'response-complete', 'done']

/** Sends a message over HTTP and reads its stream to the end. `problem`: what was wrong with its events; null: nothing. */
export async function streamTurn(url: string, sessionId: string, text: string) {
  const begin = performance.now()
  const response = await fetch(`${url}/api/sessions/${sessionId}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ text }),
  })
  if (!response.ok) return { firstTokenMs: Number.NaN, problem: `status ${response.status}` }
  let firstTokenMs = Number.NaN
  let said = ''
  let lastId = -1
  const types: SessionEventType[] = []
  const problems: string[] = []
  for await (const { id, event } of readEvents(response)) {
    if (Number(id) < lastId) problems.push(`event ${id} came after ${lastId}`)
    lastId = Number(id)
    if (event.type === 'text-delta') {
      if (said === '') firstTokenMs = performance.now() - begin
      said += event.text
    }
    if (types.at(-1) !== event.type) types.push(event.type)
  }
  if (types.join() !== ORDER.join()) problems.push(`events came as ${types.join(', ')}`)
  if (said !== LONG_TEXT) problems.push(`${said.length} of ${LONG_TEXT.length} characters arrived`)
  return { firstTokenMs, problem: problems[0] ?? null }
}
