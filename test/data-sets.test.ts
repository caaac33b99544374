import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeWithDataSet } from './data-sets.ts'

const names = [
  'pi/before-compaction.jsonl',
  'claude-code/258c7280.jsonl',
  'claude-code/4d5611e5.jsonl',
  'claude-code/short.jsonl',
  'claude-code/subagent.jsonl',
  'claude-code/tool_heavy.jsonl',
  'tau-bench/airline-50.jsonl',
  'memorybank/en.jsonl',
  'memorybank/zh.jsonl',
]

for (const name of names) {
  describeWithDataSet(`data set ${name}`, name, (path) => {
    test('holds one JSON object a line', () => {
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
      expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => 'object'))
    })
  })
}
