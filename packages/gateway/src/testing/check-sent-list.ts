import { decodeJson } from '../json/bytes.ts'
import { findElements, findMembers } from '../json/scan-json.ts'
import type { Span } from '../json/scan-json.ts'

/** The members whose values an edit may change, and the lists in which it may leave out or change something. */
const EDITABLE = ['content', 'output', 'arguments', 'input', 'action', 'operation', 'tool_calls', 'function', 'custom']
/** Blocks that an edit may change or leave out. Notes of clients go with the result that they stand behind. */
const EDITABLE_BLOCK = /"(?:tool_result|tool_use|thinking|redacted_thinking)"|<system-reminder>/

/**
 * Says what an edited body has lost that nobody should have touched; null: nothing. Both are texts with a character for
 * each byte, and elements of the client are marked with their place.
 */
export function findDamage(own: string, sent: string, listKey: string): string | null {
  decodeJson(sent)
  const [before, after] = [listIn(own, listKey), listIn(sent, listKey)]
  if (own.slice(0, before.start) !== sent.slice(0, after.start)) return 'what stands before the list'
  if (own.slice(before.end) !== sent.slice(after.end)) return 'what stands behind the list'
  const elements = cut(own, findElements(own, before.start))
  const places: number[] = []
  for (const raw of cut(sent, findElements(sent, after.start))) {
    const place = /^\{"x_place":(\d+)/.exec(raw)?.[1]
    // An element that the client does not have is Longhaul's own.
    if (place === undefined) continue
    places.push(Number(place))
    const original = elements[Number(place)]
    if (original === undefined) return `an element ${place} that the client does not have`
    const damage = original === raw ? null : findChange(original, raw)
    if (damage !== null) return `element ${place}: ${damage}`
  }
  return places.every((place, index) => index === 0 || place >= (places[index - 1] as number)) ? null : 'the order'
}

function listIn(body: string, key: string): Span {
  const span = findMembers(body, 0).get(key)
  if (span === undefined) throw new Error('There is no list.')
  return span
}

function cut(text: string, spans: readonly Span[]): readonly string[] {
  return spans.map(({ start, end }) => text.slice(start, end))
}

/** Keys, their order and every value that is not editable are the same bytes. */
function findChange(before: string, after: string): string | null {
  const [own, sent] = [[...findMembers(before, 0)], [...findMembers(after, 0)]]
  if (own.map(([key]) => key).join() !== sent.map(([key]) => key).join()) return 'its keys'
  for (const [index, [key, span]] of own.entries()) {
    const [one, other] = [before.slice(span.start, span.end), cut(after, [sent[index]?.[1] as Span])[0] as string]
    if (one === other) continue
    if (!EDITABLE.includes(key)) return `the member ${key}`
    const damage = findDamagedValue(key, one, other)
    if (damage !== null) return `${key}: ${damage}`
  }
  return null
}

function findDamagedValue(key: string, before: string, after: string): string | null {
  if (key === 'function' || key === 'custom') return findChange(before, after)
  if (key === 'tool_calls') {
    const [own, sent] = [before, after].map((raw) => cut(raw, findElements(raw, 0)))
    const changes = (own ?? []).map((call, index) =>
      call === sent?.[index] ? null : findChange(call, sent?.[index] ?? '{}'),
    )
    return changes.find((change) => change !== null) ?? null
  }
  if (key === 'arguments') return findRewritten(decodeJson(before), decodeJson(after))
  if (before.startsWith('{') && after.startsWith('{')) return findRewritten(before, after)
  if (before.startsWith('[') && after.startsWith('[')) return findLostBlock(before, after)
  return null
}

/** Arguments that were changed have shorter strings in them; numbers, and whatever else is no string, keep their bytes. */
function findRewritten(before: unknown, after: unknown): string | null {
  const [own, sent] = [String(before), String(after)]
  if (!own.trimStart().startsWith('{') || !sent.trimStart().startsWith('{')) return null
  const [start, begin] = [own.indexOf('{'), sent.indexOf('{')]
  const members = findMembers(sent, begin)
  for (const [key, span] of findMembers(own, start)) {
    const other = members.get(key)
    const [one, two] = [own.slice(span.start, span.end), other === undefined ? '' : sent.slice(other.start, other.end)]
    if (one !== two && !one.startsWith('"')) return `the argument ${key}`
  }
  return null
}

/** Blocks that no edit may touch are there with the bytes that they had; of the others, all but the content is. */
function findLostBlock(before: string, after: string): string | null {
  const own = cut(before, findElements(before, 0))
  for (const block of cut(after, findElements(after, 0))) {
    if (own.includes(block)) continue
    if (!own.some((each) => EDITABLE_BLOCK.test(each) && block.startsWith('{') && findChange(each, block) === null))
      // A text among the outputs of a tool is written anew when it is shortened.
      if (!own.some((each) => each.includes('"text"')) || !/^\{"type":"(?:input_)?text","text":"/.test(block))
        return `the block ${block.slice(0, 200)}`
  }
  return null
}
