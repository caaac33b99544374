import type { Part } from '@longhaul/engine'
import type { AgentInputItem } from '@openai/agents'
import { expect, it } from 'vitest'
import { groupItems, isPartial } from './group-items.ts'
import type { ItemGroup } from './group-items.ts'
import { itemCodec } from './item-codec.ts'

const about = { at: 0 }
const asked: AgentInputItem = { role: 'user', content: 'Read two files.' }
const thought: AgentInputItem = {
  type: 'reasoning',
  id: 'rs_1',
  content: [{ type: 'input_text', text: 'Look first.' }],
  providerData: { encrypted_content: 'xxxx' },
}
const said: AgentInputItem = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'I read.' }],
}
const call = (callId: string): AgentInputItem => ({
  type: 'function_call',
  id: `fc_${callId}`,
  callId,
  name: 'read',
  status: 'completed',
  arguments: '{"path":"a.md"}',
})
const result = (callId: string): AgentInputItem => ({
  type: 'function_call_result',
  callId,
  name: 'read',
  status: 'completed',
  output: { type: 'text', text: `Of ${callId}.` },
})
const list = [asked, thought, said, call('1'), call('2'), result('1'), result('2')]
const partsOf = (items: readonly AgentInputItem[]): readonly Part[] =>
  groupItems(items).flatMap((group) => itemCodec.read(group)?.parts ?? [])

it('a thought, its words and its calls are one message, and so are their results', () => {
  const groups = groupItems(list)
  expect(groups.map(({ role, items }) => [role, items.length])).toEqual([
    ['user', 1],
    ['assistant', 4],
    ['tool', 2],
  ])
  expect(groups.flatMap(({ items }) => items)).toEqual(list)
  expect(partsOf(list)).toEqual([
    { type: 'text', text: 'Read two files.' },
    { type: 'reasoning', text: 'Look first.' },
    { type: 'text', text: 'I read.' },
    { type: 'tool-call', toolCallId: '1', toolName: 'read', input: { path: 'a.md' } },
    { type: 'tool-call', toolCallId: '2', toolName: 'read', input: { path: 'a.md' } },
    { type: 'tool-result', toolCallId: '1', toolName: 'read', output: 'Of 1.' },
    { type: 'tool-result', toolCallId: '2', toolName: 'read', output: 'Of 2.' },
  ])
})

it('reads pictures, files, computers and shells', () => {
  const items = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'See.' },
        { type: 'input_image', image: 'https://example.com/a.png' },
        { type: 'input_file', file: { url: 'https://example.com/a.pdf' } },
      ],
    },
    { type: 'shell_call', callId: 's', action: { commands: ['ls'] } },
    { type: 'hosted_tool_call', name: 'web_search_call', status: 'completed' },
    {
      type: 'shell_call_output',
      callId: 's',
      output: [{ stdout: 'a.md', stderr: '!', outcome: { type: 'exit', exitCode: 0 } }],
    },
    {
      type: 'computer_call_result',
      callId: 'c',
      output: { type: 'computer_screenshot', data: 'data:image/png;base64,AA' },
    },
  ] as unknown as readonly AgentInputItem[]
  expect(partsOf(items)).toMatchObject([
    { type: 'text', text: 'See.' },
    { type: 'image', image: 'https://example.com/a.png' },
    { type: 'file', data: 'https://example.com/a.pdf' },
    { type: 'tool-call', toolCallId: 's', toolName: 'shell_call' },
    { type: 'text', text: '{"type":"hosted_tool_call","name":"web_search_call","status":"completed"}' },
    { type: 'tool-result', toolCallId: 's', output: 'a.md!' },
    { type: 'tool-result', toolCallId: 'c', output: [{ type: 'image', image: 'data:image/png;base64,AA' }] },
  ])
  expect(groupItems([{ type: 'compaction', encrypted_content: 'x' }]).map((group) => itemCodec.read(group))).toEqual([
    null,
  ])
})

/** The group of the list with this role, written with changed parts. */
function rewrite(role: ItemGroup['role'], change: (parts: readonly Part[]) => readonly Part[]): ItemGroup {
  const group = groupItems(list).find((each) => each.role === role) as ItemGroup
  const read = itemCodec.read(group)
  return itemCodec.write({ role: role as 'tool', parts: change(read?.parts ?? []) }, group, about)
}

it('shortens one result or one call, and leaves all else the host’s own', () => {
  const results = rewrite('tool', ([first, second]) => [{ ...first, output: 'cut' } as Part, second as Part])
  expect(results.items[0]).toEqual({ ...result('1'), output: 'cut' })
  expect(results.items[1]).toBe(list[6])
  const calls = rewrite('assistant', (parts) =>
    parts.map((part) =>
      part.type === 'tool-call' && part.toolCallId === '2' ? { ...part, input: { path: '…' } } : part,
    ),
  )
  expect(calls.items.slice(0, 3)).toEqual([thought, said, call('1')])
  expect(calls.items[0]).toBe(thought)
  expect(calls.items[3]).toEqual({ ...call('2'), arguments: '{"path":"…"}' })
})

it('without their thought, calls lose the id that would ask for it', () => {
  const { items } = rewrite('assistant', (parts) => parts.filter(({ type }) => type !== 'reasoning'))
  expect(items.map(({ type }) => type)).toEqual(['message', 'function_call', 'function_call'])
  expect(items.some((item) => 'id' in item)).toBe(false)
})

it('writes what the host does not have, in the form of its SDK', () => {
  const user = itemCodec.write({ role: 'user', parts: [{ type: 'text', text: 'A summary.' }] }, null, about)
  expect(user.items).toEqual([{ type: 'message', role: 'user', content: 'A summary.' }])
  const image = { type: 'image', image: 'AAAA', mediaType: 'image/png' } as const
  const seen = itemCodec.write({ role: 'user', parts: [{ type: 'text', text: 'See.' }, image] }, null, about)
  expect(seen.items).toEqual([
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'See.' },
        { type: 'input_image', image: 'data:image/png;base64,AAAA' },
      ],
    },
  ])
  const answer = itemCodec.write({ role: 'assistant', parts: partsOf([said, call('1')]) }, null, about)
  expect(answer.items).toMatchObject([
    { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'I read.' }] },
    { type: 'function_call', callId: '1', name: 'read', arguments: '{"path":"a.md"}' },
  ])
})

it('knows a list that answers calls which only the provider has', () => {
  expect(isPartial(list)).toBe(false)
  expect(isPartial([asked])).toBe(false)
  expect(isPartial([result('1')])).toBe(true)
})
