import { expect, it } from 'vitest'
import { acceptsOnlyJson } from './accepts-only-json.ts'

it.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/json, application/problem+json',
  'APPLICATION/JSON',
  'application/json, */*;q=0',
])('%s is JSON alone', (accept) => expect(acceptsOnlyJson(accept)).toBe(true))

it.each([
  undefined,
  '',
  '*/*',
  'text/event-stream',
  'application/json, text/event-stream',
  'application/json, text/plain, */*',
  'application/*',
])('%s is not', (accept) => expect(acceptsOnlyJson(accept)).toBe(false))
