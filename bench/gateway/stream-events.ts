export const STREAM_EVENTS = 100
export const STREAM_EVENT_MS = 50

/** The events of an answer as Anthropic streams it. */
export function eventAt(index: number): string {
  if (index > 0)
    return `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Word ${index} "}}\n\n`
  return 'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":25000,"output_tokens":1}}}\n\n'
}

export const LONG_STREAM = Array.from({ length: STREAM_EVENTS }, (_each, index) => eventAt(index)).join('')
