import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolder, runCli, runJson } from '../testing/run-cli.ts'

/** A session as Claude Code writes it: a question, a file read, an answer; over and over. */
function claudeCodeLines(turns: number): readonly string[] {
  const lines = Array.from({ length: turns }, (_, turn) => {
    const id = (part: string): string => `${part}-${turn}`
    const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, turn, second)).toISOString()
    const model = 'claude-opus-4-5'
    const call = { type: 'tool_use', id: id('call'), name: 'Read', input: { file_path: `src/bed-${turn}.ts` } }
    const result = { type: 'tool_result', tool_use_id: id('call'), content: 'the soil is dry. '.repeat(400) }
    const usage = { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
    return [
      { type: 'user', uuid: id('u'), timestamp: at(0), message: { role: 'user', content: `How is bed ${turn}?` } },
      {
        type: 'assistant',
        uuid: id('a'),
        timestamp: at(5),
        message: { id: id('ma'), role: 'assistant', model, content: [call] },
      },
      { type: 'user', uuid: id('r'), timestamp: at(6), message: { role: 'user', content: [result] } },
      {
        type: 'assistant',
        uuid: id('b'),
        timestamp: at(9),
        message: {
          id: id('mb'),
          role: 'assistant',
          model,
          usage: turn === 0 ? usage : undefined,
          content: [{ type: 'text', text: `Dry, as bed ${Math.max(0, turn - 6)} was.` }],
        },
      },
    ]
  }).flat()
  return lines.map((line) => JSON.stringify({ sessionId: 'garden', ...line }))
}

async function writeSession(folder: string, name: string, turns = 12): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, `${claudeCodeLines(turns).join('\n')}\n`)
  return file
}

interface Report {
  readonly summaries: string
  readonly runs: readonly {
    policy: { name: string }
    conversation: string
    windowTokens: number
    totals: { requests: number; compactions: number }
  }[]
  readonly problems: readonly { file: string; line: number | null; reason: string }[]
}

describe('longhaul replay', () => {
  it('replays a folder: every transcript in it, however deep, under every preset', async () => {
    const folder = await createFolder()
    await mkdir(join(folder, 'projects/garden'), { recursive: true })
    await writeSession(folder, 'projects/garden/one.jsonl')
    await writeSession(folder, 'projects/two.jsonl')
    await writeFile(join(folder, 'projects/index.json'), '{}')
    const { runs, problems, summaries } = (await runJson(['replay', join(folder, 'projects')], { folder })) as Report
    expect(new Set(runs.map(({ policy }) => policy.name))).toEqual(
      new Set(['longhaul', 'oneclaw', 'openclaw', 'micro', 'spec008']),
    )
    expect(new Set(runs.map(({ conversation }) => conversation))).toEqual(new Set(['one.jsonl', 'two.jsonl']))
    expect(runs.every(({ totals }) => totals.requests === 24)).toBe(true)
    expect(summaries).toContain('extractive')
    expect(problems).toEqual([])
  })

  it('prints a table and writes the page; peers beside presets', async () => {
    const folder = await createFolder()
    const file = await writeSession(folder, 'one.jsonl')
    const page = join(folder, 'page.html')
    const { code, stdout, stderr } = await runCli(
      ['replay', file, '--presets', 'longhaul', '--peers', '--window', '16k', '--html', page],
      { folder },
    )
    // On a slow machine it also tells how far it is.
    const told = stderr.replaceAll(/^Percent replayed: .*\n/gm, '')
    expect({ code, told }).toEqual({ code: 0, told: `1 conversation under 10 policies\nThe page is ${page}\n` })
    for (const name of ['longhaul', 'Claude Code', 'OpenHands', 'as recorded']) expect(stdout).toContain(`\n${name} `)
    expect(stdout).toContain('the same code for every policy')
    expect(await readFile(page, 'utf8')).toMatch(/^<!doctype html>/)
  })

  it('prints no title that nothing stands under', async () => {
    const folder = await createFolder()
    const { stdout } = await runCli(['replay', await writeSession(folder, 'one.jsonl')], { folder })
    expect(stdout).toMatch(/^What it would have cost: 1 conversation\n/)
    expect(stdout).not.toContain('Where the policies come from')
  })

  it('adds a policy of one’s own, and says what is wrong with it', async () => {
    const folder = await createFolder()
    const file = await writeSession(folder, 'one.jsonl')
    const policy = join(folder, 'mine.json5')
    await writeFile(policy, '{ preset: "oneclaw", compaction: { triggerTokens: 5000, keepTurns: 2 } }')
    const words = ['replay', file, '--presets', 'oneclaw', '--policy', policy, '--window', '64k']
    const { runs } = (await runJson(words, { folder })) as Report
    expect(runs.map(({ policy: { name }, totals }) => [name, totals.compactions > 0])).toEqual([
      ['oneclaw', false],
      ['mine.json5', true],
    ])
    await writeFile(policy, '{ compaction: { triggerTokns: 5000 } }')
    const broken = await runCli(words, { folder })
    expect({ code: broken.code, stdout: broken.stdout }).toEqual({ code: 2, stdout: '' })
    expect(broken.stderr).toMatch(/^longhaul: .*mine\.json5:1: .*triggerTokns.*did you mean triggerTokens\?\n$/)
  })

  it('tells the lines of a broken transcript, replays the rest, and ends with 1', async () => {
    const folder = await createFolder()
    const file = join(folder, 'broken.jsonl')
    const lines = [...claudeCodeLines(6)]
    lines.splice(3, 0, '{ "type": "user", ')
    await writeFile(file, lines.join('\n'))
    const { code, stdout, stderr } = await runCli(
      ['replay', file, join(folder, 'nowhere.jsonl'), '--presets', 'micro', '--json'],
      { folder },
    )
    const { runs, problems } = JSON.parse(stdout) as Report
    expect(code).toBe(1)
    expect(stderr).toContain(`${file}:4: not JSON\n`)
    expect(problems).toEqual([
      { file: join(folder, 'nowhere.jsonl'), line: null, reason: 'there is no such file or folder' },
      { file, line: 4, reason: 'not JSON' },
    ])
    expect(runs[0]?.totals.requests).toBe(12)
  })

  it.each([
    { words: ['--presets', 'longhal'], says: /^longhaul: No policy is called "longhal"; did you mean longhaul\?\n$/ },
    { words: ['--presets', 'claud-code'], says: /did you mean claude-code\?/ },
    {
      words: ['--model', 'anthropic/claude-opus-4-55'],
      says: /No model is called .*; did you mean anthropic\/claude-opus-4-5\?/,
    },
    { words: ['--window', 'large'], says: /number of tokens/ },
    { words: ['--summaries', 'mine'], says: /extractive, recorded/ },
    { words: ['--live'], says: /--yes/ },
    { words: ['--live', '--yes', '--summaries', 'recorded'], says: /--live and --summaries/ },
    { words: ['--questions', 'nowhere.json'], says: /nowhere\.json: / },
  ])('ends with 2 and one line for $words', async ({ words, says }) => {
    const folder = await createFolder()
    const file = await writeSession(folder, 'one.jsonl', 1)
    const { code, stdout, stderr } = await runCli(['replay', file, ...words], { folder })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(says)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('ends with 1 where there is nothing to replay', async () => {
    const folder = await createFolder()
    expect(await runCli(['replay', join(folder, 'x.jsonl')], { folder })).toEqual({
      code: 1,
      stdout: '',
      stderr: `${join(folder, 'x.jsonl')}: there is no such file or folder\nlonghaul: There is nothing to replay.\n`,
    })
    const refused = await runCli(['replay', await writeSession(folder, 'one.jsonl'), '--live', '--yes'], { folder })
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('offline/extractive cannot write summaries')
  })

  it('asks a real model with --live, after saying what that takes', async () => {
    const folder = await createFolder()
    const file = await writeSession(folder, 'one.jsonl')
    const server = await startWireServer({ otherwise: () => ({ text: '<summary>The beds are dry.</summary>' }) })
    onTestFinished(() => server.close())
    const models = '{ m: { contextWindow: 16000, maxOutput: 1000, price: { input: 1, output: 2 } } }'
    await writeFile(
      join(folder, 'config.json5'),
      `{ providers: { local: { type: "openai-compatible", baseURL: "${server.baseURL}", models: ${models} } } }`,
    )
    const { code, stdout, stderr } = await runCli(
      ['replay', file, '--presets', 'oneclaw', '--model', 'local/m', '--live', '--yes', '--json'],
      { folder },
    )
    const { summaries, runs } = JSON.parse(stdout) as Report
    expect(code).toBe(0)
    expect(stderr).toMatch(/\d+ calls? to local\/m, about .* tokens in and .* out, about \$/)
    expect(summaries).toContain('local/m')
    expect(server.requests.length).toBeGreaterThan(0)
    expect(server.requests.length).toBe(runs[0]?.totals.compactions)
  })
})
