import { describe, expect, test } from 'vitest'
import { describeEnd, describeFailure, describeStart } from './log-lines.ts'

describe('log lines', () => {
  test('MICRO-10 before: estimate, threshold, messages', () => {
    expect(describeStart({ estimateTokens: 85_200, thresholdTokens: 80_000, messages: 18 }).message).toBe(
      'Compaction: about 85,200 tokens against a threshold of 80,000; summarising 18 messages',
    )
  })

  test('MICRO-10 after: messages, size of the summary, tokens freed', () => {
    expect(describeEnd({ messages: 1, summaryTokens: 800, freedTokens: 1_072_000.4 }).message).toBe(
      'Compaction: 1 message became about 800 tokens of summary; about 1,072,000 tokens are free again',
    )
  })

  test('MICRO-10 failure: the error, and what happens instead', () => {
    expect(describeFailure({ problem: 'rate limited.', attempt: 2, attempts: 2, instead: 'trim-count' }).message).toBe(
      'Compaction failed (attempt 2 of 2): rate limited. Trimming the history to its newest messages instead.',
    )
    expect(describeFailure({ problem: 'offline', attempt: 1, attempts: 1, instead: 'extractive' }).message).toBe(
      'Compaction failed: offline. Using a summary taken from the messages by rules instead.',
    )
  })
})
