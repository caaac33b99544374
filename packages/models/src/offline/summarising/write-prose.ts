import type { Point, PointKind } from './collect-points.ts'

export const TITLES: Readonly<Record<PointKind, string>> = {
  goal: 'Goal and instructions',
  decision: 'Decisions',
  state: 'State',
  finding: 'Facts',
  open: 'Open',
}

/** Points under their titles, in an order that reads well. */
export function writeProse(points: readonly Point[], messages: number): string {
  if (points.length === 0) return `The conversation holds ${messages} messages; nothing in them had to be noted.`
  const sections = Object.entries(TITLES).flatMap(([kind, title]) => {
    const lines = points.filter((point) => point.kind === kind).map(({ text }) => `- ${text}`)
    return lines.length === 0 ? [] : [`## ${title}\n${lines.join('\n')}`]
  })
  return sections.join('\n\n')
}
