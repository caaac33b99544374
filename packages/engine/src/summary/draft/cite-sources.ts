import type { EntryRef } from '../../transcript/entry.ts'

/** Reads references as a model wrote them (`#12`, `m12`, an id) into ids of messages. */
export type CiteSources = (references: readonly string[]) => readonly string[]

const SEQ = /^m?(0|[1-9]\d{0,15})$/

/** Without a citation the ends of the span are cited, which at least say where to look. */
export function createCiteSources(sources: readonly EntryRef[]): CiteSources {
  const byId = new Set(sources.map(({ id }) => id))
  const bySeq = new Map(sources.map(({ seq, id }) => [seq, id]))
  const findId = (name: string): string | undefined => {
    if (byId.has(name)) return name
    const [, seq] = SEQ.exec(name) ?? []
    return seq === undefined ? undefined : bySeq.get(Number(seq))
  }
  const ends = [...new Set([sources[0]?.id, sources.at(-1)?.id].filter((id) => id !== undefined))]
  return (references) => {
    const cited = references.flatMap((reference) => findId(reference.replace(/^#/, '')) ?? [])
    return cited.length > 0 ? [...new Set(cited)] : ends
  }
}
