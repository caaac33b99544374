/**
 * A `fetch` whose answers cannot fill the memory: one message of a server may have `maxBytes`, whether it comes alone or
 * as an event of a stream. A longer one ends the answer with an error.
 */
export function createLimitedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
    const body = response.body.pipeThrough(createLimit(maxBytes, isStream))
    return new Response(body, response)
  }
}

/** An empty line ends an event, and the count begins anew; an answer that is no stream has none. */
function createLimit(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  let isEmptyLine = true
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        bytes += 1
        if (byte === NEW_LINE) {
          if (isStream && isEmptyLine) bytes = 0
          isEmptyLine = true
        } else if (byte !== CARRIAGE_RETURN) isEmptyLine = false
      }
      if (bytes > maxBytes) controller.error(new Error(`A message of the server is longer than ${maxBytes} bytes.`))
      else controller.enqueue(chunk)
    },
  })
}

const NEW_LINE = 10
const CARRIAGE_RETURN = 13
