import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { fillInput } from './fill-input.ts'

const nothing = { slots: {}, given: {}, words: '' }

it('takes defaults, constants and first choices for what nobody said', () => {
  const schema = {
    type: 'object',
    properties: {
      depth: { type: 'number', default: 2 },
      kind: { const: 'file' },
      mode: { enum: ['fast', 'slow'] },
      isRecursive: { type: 'boolean' },
      tags: { type: 'array' },
      unasked: { type: 'string' },
    },
    required: ['depth', 'kind', 'mode', 'isRecursive', 'tags'],
  } as const
  const input = { depth: 2, kind: 'file', mode: 'fast', isRecursive: false, tags: [] }
  expect(fillInput(schema as unknown as LanguageModelV4FunctionTool['inputSchema'], nothing)).toEqual(input)
})

it('survives schemas of any shape', () => {
  for (const schema of [
    true,
    {},
    null,
    { properties: [] },
    { properties: { a: true }, required: 'a' },
    { anyOf: [{}] },
  ])
    expect(fillInput(schema as unknown as LanguageModelV4FunctionTool['inputSchema'], nothing)).toEqual({})
  expect(fillInput({ properties: { a: true }, required: ['a'] }, nothing)).toBeNull()
  expect(fillInput({}, { ...nothing, slots: { path: 'a' } }), 'no place for what is known').toBeNull()
})
