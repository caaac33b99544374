/** Asked by this name, the provider gives the short answer. */
export const SHORT_MODEL = 'short'

/** The same kind of call, made by nobody in between: milliseconds to its first word. */
export async function callDirectly(baseURL: string, prompt: string): Promise<number> {
  const begin = performance.now()
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: SHORT_MODEL, stream: true, messages: [{ role: 'user', content: prompt }] }),
  })
  let firstMs: number | null = null
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
    if (firstMs === null && chunk.includes('Word 0')) firstMs = performance.now() - begin
  if (firstMs === null) throw new Error('The provider said nothing.')
  return firstMs
}
