import { describe, expect, it } from 'vitest'
import type { Permission, Tool } from '../port/tool.ts'
import { askWhenChanged } from './ask-when-changed.ts'
import type { AllowedDefinition, AllowedTools } from './ask-when-changed.ts'
import { digestTool } from './digest-tool.ts'

const ASK: Permission = { verdict: 'ask', reason: 'Use it?' }
const context = { sessionId: 's', toolCallId: 'c', signal: new AbortController().signal }

function offer(description: string, verdict: Permission = ASK, inputSchema: Tool['inputSchema'] = {}): Tool {
  return {
    name: 'a_b',
    description,
    inputSchema,
    origin: { kind: 'mcp', server: 'a' },
    permit: () => verdict,
    run: async () => ({ output: 'ran' }),
  }
}

function remember(): AllowedTools {
  const kept = new Map<string, AllowedDefinition>()
  return {
    get: async (name) => kept.get(name) ?? null,
    put: async (name, definition) => void kept.set(name, definition),
  }
}

describe('askWhenChanged', () => {
  it('18.15 takes the first definition that is used as the allowed one, where the owner allows it', async () => {
    const allowed = remember()
    const permit = (description: string) => askWhenChanged(offer(description, { verdict: 'allow' }), allowed).permit({})
    expect(await permit('one')).toEqual({ verdict: 'allow' })
    expect(await permit('one')).toEqual({ verdict: 'allow' })
    expect(await permit('two')).toMatchObject({ verdict: 'ask', reason: expect.stringContaining('"one" → "two"') })
    // Asking is not a yes.
    expect(await permit('two')).toMatchObject({ verdict: 'ask' })
  })

  it('18.15 takes what a person said yes to as the allowed one', async () => {
    const allowed = remember()
    const [one, two] = [askWhenChanged(offer('one'), allowed), askWhenChanged(offer('two'), allowed)]
    await one.run({}, context)
    expect(await two.permit({})).toEqual(ASK)
    await one.run({}, { ...context, isApproved: true })
    expect(await one.permit({})).toEqual(ASK)
    expect(await two.permit({})).toMatchObject({ reason: expect.stringMatching(/^Use it\? .*"one" → "two"/) })
    await two.run({}, { ...context, isApproved: true })
    expect(await two.permit({})).toEqual(ASK)
  })

  it('18.15 shows a change at the end of a long text, in few words and with nothing hidden', async () => {
    const allowed = remember()
    const text = 'The same. '.repeat(200)
    await askWhenChanged(offer(text), allowed).run({}, { ...context, isApproved: true })
    const changed = await askWhenChanged(offer(`${text}\u202e\u200bnew\n`), allowed).permit({})
    const { reason } = changed as { readonly reason: string }
    expect(reason).toContain('\\u{202e}\\u{200b}new\\n')
    expect(reason.length).toBeLessThan(1_500)
  })

  it('a "no" stays a "no", and tools of others than servers are left alone', async () => {
    const deny: Permission = { verdict: 'deny', reason: 'switched off' }
    expect(await askWhenChanged(offer('one', deny), remember()).permit({})).toEqual(deny)
    const { origin: _origin, ...own } = offer('one')
    expect(askWhenChanged(own, remember())).toBe(own)
  })
})

describe('digestTool', () => {
  it('18.15 is another one for another server, name, description or schema, and the same in any order of keys', () => {
    const tool = offer('one', ASK, { type: 'object', properties: { a: {}, b: {} } })
    const others: readonly Tool[] = [
      { ...tool, name: 'a_c' },
      { ...tool, description: 'two' },
      { ...tool, inputSchema: { type: 'object', properties: { a: {} } } },
      { ...tool, origin: { kind: 'mcp', server: 'b' } },
    ]
    expect(new Set([tool, ...others].map(digestTool)).size).toBe(others.length + 1)
    const shuffled = { ...tool, inputSchema: { properties: { b: {}, a: {} }, type: 'object' } }
    expect(digestTool(shuffled)).toBe(digestTool(tool))
  })
})
