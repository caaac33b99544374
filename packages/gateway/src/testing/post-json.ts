/** Makes a call as a client of Anthropic does. Strings and bytes are sent as they are. */
export function postJson(
  url: string,
  content: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const isRaw = typeof content === 'string' || content instanceof Uint8Array
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'sk-1', ...headers },
    body: isRaw ? (content as string) : JSON.stringify(content),
  })
}
