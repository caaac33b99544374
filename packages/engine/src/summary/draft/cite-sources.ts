import type { EntryRef } from '../../transcript/entry.ts'

/** Reads references as a model wrote them (`#12`, `m12`, an id) into ids of messages. */
export type CiteSources = (references: readonly string[]) => readonly string[]

/** Without a citation the ends of the span are cited, which at least say where to look. */
export function createCiteSources(sources: readonly EntryRef[]): CiteSources {
  const byName = new Map<string, string>()
  const remember = (name: string, id: string): void => void (byName.has(name) || byName.set(name, id))
  for (const { id } of sources) remember(id, id)
  for (const { id, seq } of sources) {
    remember(String(seq), id)
    remember(`m${seq}`, id)
  }
  const ends = [...new Set([sources[0]?.id, sources.at(-1)?.id].filter((id) => id !== undefined))]
  return (references) => {
    const cited = references.flatMap((reference) => byName.get(reference.replace(/^#/, '')) ?? [])
    return cited.length > 0 ? [...new Set(cited)] : ends
  }
}
