import { open, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readLines } from './read-lines.ts'

async function makeFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-lines-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'a.jsonl')
  await writeFile(path, text)
  return path
}

test('22 lines keep their numbers; what is no object is told', async () => {
  const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`
  const path = await makeFile(`\uFEFF{"a":1}\r\n\n{"a":\n[1]\n{"b":${deep}}\n{"__proto__":{"x":1},"c":"\u2028"}`)
  const { lines, skipped } = await readLines(path)
  expect(lines.map(({ line }) => line)).toEqual([1, 6])
  expect(lines[1]?.value['c']).toBe('\u2028')
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  expect(skipped).toEqual([
    { line: 3, reason: 'not JSON' },
    { line: 4, reason: 'not a JSON object' },
    { line: 5, reason: 'not JSON' },
  ])
})

test('22 a line of many megabytes is told and never held, and those around it are read', async () => {
  const path = await makeFile('{"a":1}\n{"b":"')
  const file = await open(path, 'a')
  const piece = Buffer.alloc(8 * 1024 * 1024, 'x')
  for (let index = 0; index < 12; index += 1) await file.write(piece)
  await file.write('"}\n{"c":1}\n')
  await file.close()
  const before = process.memoryUsage.rss()
  const { lines, skipped } = await readLines(path)
  expect(lines).toEqual([
    { line: 1, value: { a: 1 } },
    { line: 3, value: { c: 1 } },
  ])
  expect(skipped).toEqual([{ line: 2, reason: 'a line longer than 64 MB' }])
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024)
})

test('22 progress adds up to the size of the file, and bookkeeping is not parsed', async () => {
  const text = '{"type":"skip","a":1}\n{"type":"keep"}\n'
  let bytes = 0
  const { lines } = await readLines(await makeFile(text), {
    isOfUse: (beginning) => !beginning.startsWith('{"type":"skip"'),
    onProgress: (read) => (bytes += read),
  })
  expect(lines).toEqual([{ line: 2, value: { type: 'keep' } }])
  expect(bytes).toBe(text.length)
})

test('22 reading ends when it is told to', async () => {
  const stop = new AbortController()
  stop.abort()
  await expect(readLines(await makeFile('{"a":1}\n'), { signal: stop.signal })).rejects.toThrow(/abort/i)
})
