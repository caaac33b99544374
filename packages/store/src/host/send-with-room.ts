/** A provider that does not name its limit may refuse the second, shorter list as well. */
const MAX_ATTEMPTS = 3

export interface Sending<Request, Reply> {
  /** Makes the request; for the second and third attempt from what is left after room was made. */
  readonly fit: (isRetry: boolean) => Promise<Request>
  readonly send: (request: Request) => PromiseLike<Reply>
  /** Whether the error was a refusal as too long, and room was made: `HostSession.refused`. */
  readonly makeRoom: (error: unknown) => Promise<boolean>
}

/** Sends a request, and a smaller one where the provider refuses it as too long. Any other error is the host's own. */
export async function sendWithRoom<Request, Reply>({ fit, send, makeRoom }: Sending<Request, Reply>): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const request = await fit(attempt > 1)
    try {
      return await send(request)
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !(await makeRoom(error))) throw error
    }
  }
}

/**
 * Waits for the first content of a stream, then hands the whole stream on. Rejects where a refusal stands in its place:
 * the stream ends with it, or `isPrelude` throws it. `isPrelude`: events before any content, which a refusal may follow.
 */
export async function openStream<E>(
  stream: AsyncIterable<E>,
  isPrelude: (event: E) => boolean,
): Promise<AsyncIterable<E>> {
  const iterator = stream[Symbol.asyncIterator]()
  const first: E[] = []
  try {
    for (let isOpen = false; !isOpen;) {
      const { done, value } = await iterator.next()
      if (done === true) break
      first.push(value)
      isOpen = !isPrelude(value)
    }
  } catch (error) {
    await iterator.return?.()
    throw error
  }
  return readOn(first, { [Symbol.asyncIterator]: () => iterator })
}

async function* readOn<E>(first: readonly E[], rest: AsyncIterable<E>): AsyncGenerator<E> {
  const iterator = rest[Symbol.asyncIterator]()
  try {
    yield* first
    yield* { [Symbol.asyncIterator]: () => iterator }
  } finally {
    await iterator.return?.()
  }
}
