/** One server-sent event; `name` where the vendor names its events. */
export function frame(data: unknown, name?: string): string {
  const event = name === undefined ? '' : `event: ${name}\n`
  return `${event}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

/** Arguments arrive in pieces that are no JSON by themselves. */
export function splitJson(input: unknown): readonly string[] {
  const json = JSON.stringify(input)
  const third = Math.max(1, Math.ceil(json.length / 3))
  return [json.slice(0, third), json.slice(third, 2 * third), json.slice(2 * third)].filter((piece) => piece !== '')
}
