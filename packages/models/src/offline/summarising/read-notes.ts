import { scoreSentence, splitSentences } from '@longhaul/engine/advanced'
import type { Point, PointKind } from './collect-points.ts'

/** One line of notes or of an earlier summary. */
export interface Note {
  /** For whoever is to change it; null where the notes show none. */
  readonly id: string | null
  readonly section: string
  readonly isDone: boolean
  readonly text: string
}

/** A title of notes is a line that ends in a colon; summaries of other programs have headings. */
const HEADING = /^(?:#{1,6}\s+(\S.{0,79}?)|([^\s\-*+•[].{0,79}?):)\s{0,20}$/
const ITEM = /^(?:[-*+•]\s+)?(?:\[([A-Za-z]+-?\d{0,9})\]\s+)?(?:\[(done|open)\]\s+)?(\S.*)$/

export function readNotes(text: string): readonly Note[] {
  const notes: Note[] = []
  let section = ''
  let isMostlyDone = false
  for (const line of text.split('\n')) {
    const heading = HEADING.exec(line)
    if (heading !== null) {
      const title = heading[1] ?? heading[2] ?? ''
      section = title.replace(/\s{0,4}\(.{0,80}\)$/, '')
      isMostlyDone = title.endsWith('(done, unless marked open)')
      continue
    }
    const [, id, mark, words] = ITEM.exec(line.trim()) ?? []
    if (words === undefined) continue
    const isDone = mark === undefined ? isMostlyDone : mark === 'done'
    notes.push({ id: id ?? null, section, isDone, text: words })
  }
  return notes
}

/** Section titles, ours and those of others, by what they are about. */
const KINDS: readonly { readonly kind: PointKind; readonly title: RegExp }[] = [
  { kind: 'goal', title: /goal|request|ask|instruction|constraint|prefer|task/i },
  { kind: 'decision', title: /decision|decided|conclusion/i },
  { kind: 'open', title: /open|next|todo|pending|question/i },
  { kind: 'state', title: /state|done|progress|status|work|happened/i },
]

export function kindOfSection(title: string): PointKind {
  return KINDS.find((known) => known.title.test(title))?.kind ?? 'finding'
}

const CARRIED_SCORE = 4

/** An earlier summary as points: what was once worth keeping mostly still is, older parts a little less. */
export function carryPoints(texts: readonly string[]): readonly Point[] {
  return texts.flatMap((text, index) =>
    readNotes(text).flatMap((note) =>
      (note.section === '' ? splitSentences(note.text) : [note.text]).map((words) => ({
        kind: kindOfSection(note.section),
        text: words,
        score: CARRIED_SCORE + scoreSentence(words, 'assistant') / 4 + index / 10,
        order: index - texts.length,
      })),
    ),
  )
}
