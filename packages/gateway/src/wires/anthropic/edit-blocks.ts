import type { Part } from '@longhaul/engine'
import { decodeJson } from '../../json/bytes.ts'
import { findElements, findMembers } from '../../json/scan-json.ts'
import { replaceSpans, spliceChanges } from '../../json/splice-changes.ts'
import { editOutput, isSameOutput } from '../edit-output.ts'
import { readBlocks } from './read-blocks.ts'
import type { ReadBlock } from './read-blocks.ts'

/** Changes blocks of a list that is written as JSON. Blocks that are not changed keep their bytes. null: none is left. */
export function editBlocks(raw: string, role: string, after: readonly (Part | null)[]): string | null {
  const spans = findElements(raw, 0)
  const blocks = spans.map(({ start, end }) => decodeJson(raw.slice(start, end)))
  const read = readBlocks(blocks, role, new Map())
  let part = -1
  const kept = spans.flatMap(({ start, end }, index) => {
    const block = raw.slice(start, end)
    const { part: before } = read[index] as ReadBlock
    if (before === null) return isChanged(read, index, after[part] ?? null) ? [] : [block]
    part += 1
    const shown = after[part] ?? null
    if (shown === null) return []
    return [editBlock(block, before, shown, read[index + 1]?.part === null)]
  })
  return kept.length === 0 ? null : `[${kept.join(',')}]`
}

/** Whether the result is changed that this note stands behind. */
function isChanged(read: readonly ReadBlock[], index: number, shown: Part | null): boolean {
  const before = read.slice(0, index).findLast(({ part }) => part !== null)?.part ?? null
  return shown?.type !== 'tool-result' || before?.type !== 'tool-result' || !isSameOutput(before.output, shown.output)
}

function editBlock(raw: string, before: Part, shown: Part, hasNotes: boolean): string {
  const members = findMembers(raw, 0)
  if (before.type === 'tool-call' && shown.type === 'tool-call') {
    const input = members.get('input')
    if (input === undefined) return raw
    return replaceSpans(raw, [{ ...input, by: spliceChanges(raw.slice(input.start, input.end), shown.input) }])
  }
  if (before.type !== 'tool-result' || shown.type !== 'tool-result') return raw
  if (isSameOutput(before.output, shown.output)) return raw
  const content = members.get('content')
  if (content === undefined) return raw
  const edit = { before: hasNotes ? '' : before.output, shown: shown.output, textType: 'text' } as const
  return replaceSpans(raw, [{ ...content, by: editOutput(raw.slice(content.start, content.end), edit) }])
}
