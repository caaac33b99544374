import { replaces, saysChanged } from '../reading/corrects.ts'
import { termsOf } from '../reading/terms.ts'
import { ASKED_LAST } from './collect-points.ts'
import type { Point, PointKind } from './collect-points.ts'
import { fitPoints } from './fit-points.ts'
import { kindOfSection, readNotes } from './read-notes.ts'
import type { Note } from './read-notes.ts'
import { TITLES } from './write-prose.ts'

export interface ChangesInput {
  readonly points: readonly Point[]
  /** The notes as the prompt shows them; empty where there are none. */
  readonly notes: string
  /** Titles the prompt wants. */
  readonly sections: readonly string[]
  readonly budgetTokens: number
  /** The transcript holds an answer, so what was asked before it is no longer open. */
  readonly isAnswered: boolean
  /** Messages are shown under numbers, so points can say which they rest on. */
  readonly isNumbered: boolean
}

/** Changes to notes, one a line: points that are done, points that read differently now, new points. */
export function writeChanges(input: ChangesInput): string {
  const { points, notes, sections, budgetTokens, isAnswered, isNumbered } = input
  const known = readNotes(notes)
  const statements = points.filter(({ kind }) => kind !== 'open' && kind !== 'state')
  const outdated = known.flatMap((note) => {
    const point = statements.findLast(({ text }) => isReplaced(note, text))
    return point === undefined ? [] : [{ note, point }]
  })
  const said = known.filter((note) => !outdated.some((pair) => pair.note === note)).map(({ text }) => text)
  const closed = known.filter((note) => isSettled(note, isAnswered)).map(({ id }) => `x ${id}`)
  const lines = fitPoints(points, budgetTokens, said).map(({ kind, text, order }) => {
    const cited = isNumbered ? `${text} (#${order})` : text
    const id = outdated.find(({ point }) => point.text === text)?.note.id
    return id === undefined ? `+ ${titleFor(kind, sections)}: ${cited}` : `~ ${id}: ${cited}`
  })
  return [...closed, ...lines].join('\n') || 'No changes.'
}

/** Asked before the transcript, and the transcript has the answer. */
function isSettled({ id, section, isDone, text }: Note, isAnswered: boolean): boolean {
  return id !== null && !isDone && isAnswered && kindOfSection(section) === 'open' && text.startsWith(ASKED_LAST)
}

function isReplaced(note: Note, text: string): boolean {
  if (note.id === null || !saysChanged(text)) return false
  return replaces({ text, terms: termsOf(text) }, { text: note.text, terms: termsOf(note.text) })
}

function titleFor(kind: PointKind, sections: readonly string[]): string {
  return sections.find((title) => kindOfSection(title) === kind) ?? TITLES[kind]
}
