import { groupItems, isPartial } from '../../../hosts/openai-agents/src/group-items.ts'
import { itemCodec } from '../../../hosts/openai-agents/src/item-codec.ts'
import type { ReaderTable } from './materials.ts'

/** The text wherever a list of the SDK may have it, and where it may stand by mistake. */
function itemsOf(text: string): never {
  const names = { callId: text.slice(0, 50), name: text.slice(0, 50) }
  const contents = [
    { type: 'input_text', text },
    { type: 'input_image', image: text },
    { type: 'input_file', file: { url: text } },
    { type: text, data: text },
  ]
  return [
    { role: 'user', content: text },
    { role: 'user', content: contents },
    { type: 'reasoning', content: [{ text }], rawContent: text },
    { role: 'assistant', content: [{ type: 'output_text', text }] },
    { type: 'function_call', ...names, arguments: text },
    { type: 'hosted_tool_call', arguments: text },
    { type: 'function_call_result', ...names, output: text },
    { type: 'function_call_result', ...names, output: contents },
    { type: 'shell_call_output', ...names, output: [{ stdout: text }] },
    { type: text, ...names },
  ] as never
}

export const HOST_OPENAI_AGENTS: ReaderTable = {
  'hosts/openai-agents/src/group-items.ts': {
    groupItems: (text) =>
      groupItems(itemsOf(text)).map((group) => {
        const read = itemCodec.read(group)
        return read === null ? null : itemCodec.write(read, group, { at: 0 })
      }),
    isPartial: (text) => isPartial(itemsOf(text)),
  },
}
