import { expect, test } from 'vitest'
import { pairTools } from '../messages/tool-pairs.ts'
import { assistant, call, result, tool, user } from '../testing/build-conversation.ts'
import type { JsonObject } from '../transcript/json.ts'
import type { Message } from '../transcript/message.ts'
import { findStaleReads } from './stale-reads.ts'

type Step = readonly [toolName: string, input: JsonObject, outcome?: 'failed' | 'open']

/** Each step is one call and its result; returns which results are stale, by the number of their step. */
function staleSteps(...steps: readonly Step[]): Readonly<Record<number, string>> {
  const messages: Message[] = [user('go')]
  steps.forEach(([toolName, input, outcome], step) => {
    messages.push(assistant(call(`c${step}`, toolName, input)))
    if (outcome === 'open') messages.push(user('never mind'))
    else messages.push(tool(result(`c${step}`, 'content', { toolName, isError: outcome === 'failed' })))
  })
  const stale = findStaleReads(pairTools(messages))
  return Object.fromEntries([...stale].map(([place, { why }]) => [(Number.parseInt(place, 10) - 2) / 2, why]))
}

const a = { path: 'a.ts' }
const b = { path: 'b.ts' }
const partOfA = { path: 'a.ts', offset: 10, limit: 20 }

test('LH-03 a read is stale once the file is read again', () => {
  expect(staleSteps(['read', a], ['read', b], ['view', { file_path: './a.ts' }])).toEqual({ 0: 'read-again' })
})

test('LH-03 a read is stale once the file is edited or written', () => {
  expect(staleSteps(['read', a], ['edit', a])).toEqual({ 0: 'changed' })
  expect(staleSteps(['read', a], ['write', a])).toEqual({ 0: 'changed' })
  expect(staleSteps(['read', partOfA], ['edit', a])).toEqual({ 0: 'changed' })
})

test('LH-03 a part read later does not make a full read stale', () => {
  expect(staleSteps(['read', a], ['read', partOfA])).toEqual({})
})

test('LH-03 a part is overtaken by all of it, and by the same part', () => {
  expect(staleSteps(['read', partOfA], ['read', a])).toEqual({ 0: 'read-again' })
  expect(staleSteps(['read', partOfA], ['read', partOfA])).toEqual({ 0: 'read-again' })
  expect(staleSteps(['read', partOfA], ['read', { ...partOfA, offset: 30 }])).toEqual({})
})

test('LH-03 calls that failed, or whose outcome nobody knows, overtake nothing', () => {
  expect(staleSteps(['read', a], ['read', a, 'failed'])).toEqual({})
  expect(staleSteps(['read', a], ['edit', a, 'failed'])).toEqual({})
  expect(staleSteps(['read', a], ['edit', a, 'open'])).toEqual({})
})

test('LH-03 a failed read is a failure, not a stale read', () => {
  expect(staleSteps(['read', a, 'failed'], ['read', a])).toEqual({})
})

test('LH-03 naming the file is not enough', () => {
  expect(staleSteps(['read', a], ['grep', a], ['list_dir', a], ['bash', { command: 'cat a.ts' }])).toEqual({})
  expect(staleSteps(['grep', a], ['read', a])).toEqual({})
})

test('LH-03 what was changed is not a read, and the last read of many stays', () => {
  expect(staleSteps(['edit', a], ['read', a], ['read', a], ['read', a])).toEqual({ 1: 'read-again', 2: 'read-again' })
})

test('LH-03 parallel calls have no order', () => {
  const messages = [
    user('go'),
    assistant(call('1', 'read', a), call('2', 'edit', a)),
    tool(result('1', 'content'), result('2', 'done')),
  ]
  expect(findStaleReads(pairTools(messages)).size).toBe(0)
})

test('LH-03 call ids that repeat across turns do not confuse it', () => {
  const turns = [a, b, a].flatMap((input) => [assistant(call('same', 'read', input)), tool(result('same', 'content'))])
  const stale = findStaleReads(pairTools([user('go'), ...turns]))
  expect([...stale.keys()]).toEqual(['2:0'])
})
