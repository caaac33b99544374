/** What a turn before a compaction is asked to do: save what must last, and say nothing. */
export interface FlushPrompt {
  /** The answer that means "nothing to show". */
  readonly silentToken: string
  /** The notes file to append to; null where a memory tool is to be used. */
  readonly path: string | null
}

const SILENCE =
  /\b(?:answer|reply|respond) with (?:exactly |only |just )?[`"']?([^\s`"'.,;]{2,40})[`"']?(?= when| after| alone| at once| if|,|\.|$)/i
const SAVES = /\b(?:save|store|write down|persist|append)\b/i
const ABOUT = /\b(?:memor(?:y|ies)|durable|lasting|outlast|notes?)\b/i

/** A flush prompt is known by its three parts: save, something that lasts, and the word to be silent with. */
export function readFlushPrompt(message: string): FlushPrompt | null {
  const silentToken = SILENCE.exec(message)?.[1]
  if (silentToken === undefined || !SAVES.test(message) || !ABOUT.test(message)) return null
  return { silentToken, path: /\bmemory\/[\w./-]+\.md\b/i.exec(message)?.[0] ?? null }
}
