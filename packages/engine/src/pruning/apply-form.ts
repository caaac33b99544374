import { outputText } from '../messages/render-text.ts'
import { sliceHead, sliceTail } from '../messages/slice-text.ts'
import type { PruneForm } from '../transcript/entry.ts'
import type { JsonValue } from '../transcript/json.ts'
import { isRecord } from '../transcript/json.ts'
import type { Message, Part, ToolOutput } from '../transcript/message.ts'

/**
 * The message with its pruned parts in their form. Always given the stored message, never one that is pruned already. A
 * form that would not make its part shorter has no effect, nor has one on anything but text of a tool: the message
 * itself comes back if nothing changed.
 */
export function applyForms(message: Message, forms: ReadonlyMap<number, PruneForm> | null): Message {
  if (forms === null || forms.size === 0) return message
  const parts = message.parts.map((part, index) => {
    const form = forms.get(index)
    return form === undefined ? part : applyForm(part, form)
  })
  return parts.every((part, index) => part === message.parts[index]) ? message : { role: message.role, parts }
}

/** On a tool call only `soft-trimmed` has a meaning: it shortens each long string of the input, which stays valid JSON. */
export function applyForm<P extends Part>(part: P, form: PruneForm): P {
  if (part.type === 'tool-result') {
    if (!isTextOnly(part.output)) return part
    const text = outputText(part.output)
    const shorter = form.form === 'cleared' ? form.placeholder : trimMiddle(text, form)
    return shorter.length < text.length ? { ...part, output: shorter } : part
  }
  if (part.type === 'tool-call' && form.form === 'soft-trimmed') {
    const input = trimStrings(part.input, form)
    if (input === part.input || JSON.stringify(input).length >= JSON.stringify(part.input).length) return part
    return { ...part, input }
  }
  return part
}

export function isTextOnly(output: ToolOutput): boolean {
  return typeof output === 'string' || output.every((part) => part.type === 'text')
}

type Trim = Extract<PruneForm, { form: 'soft-trimmed' }>

function trimMiddle(text: string, { headChars, tailChars, note }: Trim): string {
  if (text.length <= headChars + tailChars) return text
  const trimmed = `${sliceHead(text, headChars)}\n...\n${sliceTail(text, tailChars)}\n\n${note}`
  return trimmed.length < text.length ? trimmed : text
}

/** Returns the value itself where nothing in it was long enough. */
function trimStrings<V extends JsonValue>(value: V, trim: Trim): V
function trimStrings(value: JsonValue, trim: Trim): JsonValue {
  if (typeof value === 'string') return trimMiddle(value, trim)
  if (Array.isArray(value)) {
    const trimmed = value.map((element: JsonValue) => trimStrings(element, trim))
    return trimmed.every((element, index) => element === value[index]) ? value : trimmed
  }
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, child]) => [key, trimStrings(child, trim)] as const)
  return entries.every(([key, child]) => child === value[key]) ? value : Object.fromEntries(entries)
}
