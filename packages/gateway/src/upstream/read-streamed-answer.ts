import { isRecord } from '@longhaul/engine/advanced'

type Fields = Readonly<Record<string, unknown>>

/**
 * The answer of a Responses stream as one object. The event at the end repeats the items of the answer on some servers;
 * others leave them out there, so the items that were closed before stand in.
 */
export function readStreamedAnswer(text: string): Fields {
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => parse(line.slice('data:'.length)))
  const items = events.flatMap((event) => (event['type'] === 'response.output_item.done' ? [event['item']] : []))
  const last = events.findLast(({ response }) => isRecord(response))?.['response']
  if (!isRecord(last) || last['status'] === 'failed') throw new Error('The stream of a summary held no answer.')
  return Array.isArray(last['output']) && last['output'].length > 0 ? last : { ...last, output: items }
}

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    // Cut off in the middle, or the mark at the end.
    return {}
  }
}
