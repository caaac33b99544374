import { describe, expect, it } from 'vitest'
import type { RequestItem } from '../carriers/carrier.ts'
import { anthropicApi } from './anthropic-api.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'
import { langchain } from './langchain.ts'
import { opencode } from './opencode.ts'
import { openhands } from './openhands.ts'
import type { Peer, Situation } from './peer.ts'
import { pi } from './pi.ts'

function item(index: number, kind: 'user' | 'assistant' | 'tool', tokens = 100): RequestItem {
  const text = 'x'.repeat(tokens * 4)
  const toolCallId = `c${kind === 'tool' ? index - 1 : index}`
  const parts = {
    user: [{ type: 'text', text }],
    assistant: [{ type: 'tool-call', toolCallId, toolName: 'read', input: { path: `f${index}.ts` } }],
    tool: [{ type: 'tool-result', toolCallId, toolName: 'read', output: text }],
  } as const
  return { key: `m${index}`, kind, state: 'verbatim', message: { role: kind, parts: parts[kind] }, tokens, index }
}

/** A user message, then a call and its result, over and over. */
function conversation(count: number, tokens = 100): readonly RequestItem[] {
  return Array.from({ length: count }, (_, index) =>
    item(index, (['user', 'assistant', 'tool'] as const)[index % 3] ?? 'user', tokens),
  )
}

function situation(change: Partial<Situation>): Situation {
  return {
    items: conversation(6),
    tokens: 0,
    windowTokens: 200_000,
    maxOutputTokens: 64_000,
    checkPoint: 'before-turn',
    at: 0,
    lastRequestAt: null,
    ...change,
  }
}

function isDueAt(peer: Peer, tokens: number, change: Partial<Situation> = {}): boolean {
  return peer.isDue(situation({ tokens, ...change })) !== null
}

describe('the digits of the peers', () => {
  it.each([
    ['Anthropic API', anthropicApi, 150_000],
    ['Codex', codex, 180_000],
    ['Claude Code', claudeCode, 167_000],
    ['pi', pi, 183_616],
  ])('%s compacts above %i', (_, peer, tokens) => {
    expect(isDueAt(peer, tokens)).toBe(false)
    expect(isDueAt(peer, tokens + 1)).toBe(true)
  })

  it.each([
    ['Gemini CLI', geminiCli, 100_000],
    ['opencode', opencode, 168_000],
  ])('%s compacts from %i on', (_, peer, tokens) => {
    expect(isDueAt(peer, tokens - 1)).toBe(false)
    expect(isDueAt(peer, tokens)).toBe(true)
  })

  it('Gemini CLI looks before a turn only, the others before each request', () => {
    expect(isDueAt(geminiCli, 150_000, { checkPoint: 'before-step' })).toBe(false)
    for (const peer of [anthropicApi, codex, claudeCode, opencode, pi]) {
      expect(isDueAt(peer, 190_000, { checkPoint: 'before-step' })).toBe(true)
    }
  })

  it('LangChain counts messages alone, four characters a token', () => {
    expect(isDueAt(langchain, 199_000, { items: conversation(30, 100) })).toBe(false)
    expect(isDueAt(langchain, 0, { items: [item(0, 'user', 170_000)] })).toBe(true)
  })

  it('OpenHands counts events', () => {
    expect(isDueAt(openhands, 199_000, { items: conversation(80) })).toBe(false)
    expect(isDueAt(openhands, 0, { items: conversation(81) })).toBe(true)
    const { before = [], after = [] } = openhands.keep(situation({ items: conversation(81) }))
    expect(before.map(({ index }) => index)).toEqual([0, 1, 2, 3])
    expect(after[0]?.kind).not.toBe('tool')
    expect(after.length).toBeLessThanOrEqual(35)
  })

  it('keep what they say they keep, and never a result without its call', () => {
    const items = conversation(60, 1_000)
    expect(langchain.keep(situation({ items })).after?.length).toBeGreaterThanOrEqual(20)
    expect(codex.keep(situation({ items })).before?.every(({ kind }) => kind === 'user')).toBe(true)
    expect(anthropicApi.keep(situation({ items }))).toEqual({})
    expect(claudeCode.keep(situation({ items })).restored).toHaveLength(5)
    for (const peer of [langchain, geminiCli, opencode, openhands, pi]) {
      expect(peer.keep(situation({ items })).after?.[0]?.kind).not.toBe('tool')
    }
    const { after = [] } = pi.keep(situation({ items }))
    const kept = after.reduce((sum, { tokens }) => sum + tokens, 0)
    expect(kept).toBeLessThanOrEqual(30_000)
  })

  it('clear what they say they clear', () => {
    const items = conversation(60, 1_000)
    expect(anthropicApi.clearOnce?.(situation({ items, tokens: 100_000 }))).toBeNull()
    expect(anthropicApi.clearOnce?.(situation({ items, tokens: 100_001 }))?.items.size).toBe(20 - 3)
    expect(claudeCode.clear?.(situation({ items, at: 3_600_000, lastRequestAt: 0 }))).toBeNull()
    expect(claudeCode.clear?.(situation({ items, at: 3_600_001, lastRequestAt: 0 }))?.items.size).toBe(20 - 5)
    expect(geminiCli.clear?.(situation({ items }))).toBeNull()
    const large = conversation(60, 5_000)
    // 100,000 tokens of results: the newest 50,000 are protected.
    expect(geminiCli.clear?.(situation({ items: large }))?.items.size).toBe(10)
  })
})
