import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { assistant, call, result, tool, user } from '../../testing/build-conversation.ts'
import { transcript } from '../../testing/build-entries.ts'
import type { Message } from '../../transcript/message.ts'
import { foldEntries } from '../fold/fold-log.ts'
import type { Environment } from '../view/environment.ts'
import { createView } from '../view/view.ts'
import { extendRequest } from './extend-request.ts'
import { sealRequest } from './seal.ts'
import type { SealedRequest } from './sealed-request.ts'

const SCHEMA = { name: 'save', description: 'Saves a note.', inputSchema: { type: 'object' } }
const environment: Environment = { system: 'You help.', files: [], tools: [SCHEMA] }
const context = {
  environment,
  model: 'a/one',
  calibration: { ratio: 2, frameTokens: 14, lineTokens: -1.5, overheadTokens: 7 },
  estimator: PRESETS.longhaul.estimator,
}

function seal(lines: readonly Message[], surroundings: Environment | null = environment): SealedRequest {
  const view = createView(foldEntries(transcript(...lines)), PRESETS.longhaul)
  return sealRequest({ view, context: { ...context, environment: surroundings }, maxTokens: null, maxBytes: null })
}

const added = [
  user('Save “what” must last.'),
  assistant(call('c1')),
  tool(result('c1', '     1\tSaved\n     2\tas “what”')),
]

describe('a request with more said behind it', () => {
  it.each([
    ['an answer', [user('Hello'), assistant('Hello yourself')]],
    ['a question', [user('Hello'), assistant('Hello yourself'), user('And now?')]],
    ['a result', [user('Hello'), assistant(call('c0')), tool(result('c0', 'Saved.'))]],
    ['nothing', []],
  ])('LH-01 is the one that a seal of all of it gives, behind %s', (_name, lines) => {
    const { messages, tokens, bytes, bytesHash } = seal([...lines, ...added])
    expect(extendRequest(seal(lines), added, context)).toMatchObject({ messages, tokens, bytes, bytesHash })
  })

  it('OPEN-22 may have more in its system text: it is the one that a seal with that system prompt gives', () => {
    const lines = [user('Hello'), assistant('Hello yourself')]
    const system = 'You help.\n\nStore durable memories now.'
    const { messages, bytes, bytesHash, tokens } = seal([...lines, ...added], { ...environment, system })
    const extended = extendRequest(seal(lines), added, context, 'Store durable memories now.')
    expect(extended).toMatchObject({ system, messages, bytes, bytesHash })
    expect(Math.abs((extended.tokens.tokens ?? 0) - (tokens.tokens ?? 0))).toBeLessThanOrEqual(4)
    expect(extendRequest(seal(lines, null), added, context, 'Alone.').system).toBe('Alone.')
  })

  it('does not call for an answer twice', () => {
    const sealed = seal([user('Hello'), assistant('Hello yourself')])
    expect(sealed.repairs.map(({ kind }) => kind)).toEqual(['message-added'])
    expect(extendRequest(sealed, added, context).repairs).toEqual([])
  })

  it('of unknown size stays of unknown size', () => {
    const sealed = seal([user('Hello')], null)
    expect(extendRequest(sealed, added, context).tokens).toEqual({ source: 'unknown', tokens: null, reportedTokens: 0 })
  })

  it('is no prefix of the next request of the conversation', () => {
    const sealed = seal([user('Hello')])
    expect(extendRequest(sealed, added, context).anchor.chainHash).not.toBe(sealed.anchor.chainHash)
  })
})
