import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTranscript } from '@longhaul/store/jsonl'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPresetPolicy } from '../carriers/longhaul-policy.ts'
import { asRecorded } from '../carriers/recorded-policy.ts'
import { PEERS, createPeerPolicy } from '../peers/peers.ts'
import { replay } from '../run/replay.ts'
import { buildSession } from '../testing/build-session.ts'
import { findTranscripts } from './find-transcripts.ts'
import { readPieces } from './read-pieces.ts'
import { readTranscriptFile } from './read-transcript-file.ts'
import type { TranscriptPart, TranscriptProblem } from './transcript-file.ts'

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-replay-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('findTranscripts', () => {
  it('takes files as they are, and of folders every .jsonl, once', async () => {
    const folder = await createFolder()
    await mkdir(join(folder, 'a/b'), { recursive: true })
    for (const name of ['a/2.jsonl', 'a/b/1.jsonl', 'a/sessions.json']) await writeFile(join(folder, name), '{}')
    const { files, problems } = await findTranscripts([join(folder, 'a'), join(folder, 'a/2.jsonl')])
    expect(files.map(({ path }) => path)).toEqual([join(folder, 'a/2.jsonl'), join(folder, 'a/b/1.jsonl')])
    expect(problems).toEqual([])
  })

  it('tells what is not there and goes on', async () => {
    const folder = await createFolder()
    const { files, problems } = await findTranscripts([join(folder, 'none'), folder])
    expect(files).toEqual([])
    expect(problems.map(({ reason }) => reason)).toEqual([
      'there is no such file or folder',
      'a folder without any .jsonl file',
    ])
  })
})

describe('readTranscriptFile', () => {
  async function readAll(lines: readonly string[], name = 'x.jsonl') {
    const path = join(await createFolder(), name)
    await writeFile(path, lines.join('\n'))
    const parts: TranscriptPart[] = []
    const problems: TranscriptProblem[] = []
    for await (const part of readTranscriptFile({ path, bytes: 1 }, (problem) => problems.push(problem)))
      parts.push(part)
    return { parts, problems: problems.map(({ line, reason }) => ({ line, reason })) }
  }
  const user = (text: string): string => JSON.stringify({ role: 'user', content: text })

  it('tells damaged lines by their number, and reads the rest', async () => {
    const { parts, problems } = await readAll([user('one'), '{"role": "us', user('two')])
    expect(parts.map(({ entries }) => entries.length)).toEqual([2])
    expect(problems).toEqual([{ line: 2, reason: 'not JSON' }])
  })

  it('takes what a program left out of its context on purpose for no damage', async () => {
    const line = (uuid: string, isSidechain: boolean): string =>
      JSON.stringify({ type: 'user', uuid, sessionId: 's', isSidechain, message: { role: 'user', content: 'x' } })
    expect((await readAll([line('a', false), line('b', true)])).problems).toEqual([])
  })

  it('tells a file that is no transcript at all', async () => {
    const { parts, problems } = await readAll(['hello'])
    expect(parts).toEqual([])
    expect(problems).toMatchObject([{ line: null, reason: expect.stringContaining('no JSON object') as string }])
  })

  it('calls a conversation by its title, else by its file', async () => {
    const chat = (id: string): string => JSON.stringify({ id, messages: [{ role: 'user', content: 'x' }] })
    const { parts } = await readAll([chat('a'), chat('b')], 'talks.jsonl')
    expect(parts.map(({ session }) => session.title)).toEqual(['talks.jsonl a', 'talks.jsonl b'])
  })
})

describe('readPieces', () => {
  it('repeats the header, counts lines as the file does, and goes on with the conversation', async () => {
    const path = join(await createFolder(), 'long.jsonl')
    const message = (seq: number): string =>
      JSON.stringify({ type: 'message', seq, id: `m${seq}`, at: seq, role: 'user', parts: [] })
    const header = JSON.stringify({ type: 'session', version: 1, id: 's', createdAt: 1 })
    await writeFile(path, [header, ...Array.from({ length: 9_000 }, (_, index) => message(index + 1))].join('\n'))
    const pieces = await Array.fromAsync(readPieces(path))
    expect(pieces.map(({ isNext }) => isNext)).toEqual([false, true, true])
    for (const { text, lineOf } of pieces) {
      const lines = text.split('\n')
      expect(lines[0]).toBe(header)
      const { seq } = JSON.parse(lines.at(-1) ?? '') as { seq: number }
      expect(lineOf(lines.length)).toBe(seq + 1)
    }
  })

  it('begins anew where each line is a conversation', async () => {
    const path = join(await createFolder(), 'talks.jsonl')
    const chat = (id: number): string => JSON.stringify({ id, messages: [{ role: 'user', content: 'x' }] })
    await writeFile(path, Array.from({ length: 5_000 }, (_, id) => chat(id)).join('\n'))
    expect((await Array.fromAsync(readPieces(path))).map(({ isNext }) => isNext)).toEqual([false, false])
  })
})

describe('a conversation in parts', () => {
  const peers = PEERS.filter(({ name }) => ['Codex', 'Claude Code', 'LangChain'].includes(name)).map(createPeerPolicy)
  const policies = [createPresetPolicy('longhaul'), createPresetPolicy('micro'), asRecorded, ...peers]
  const options = { countTokens: (text: string): number => Math.ceil(text.length / 4), windowTokens: 40_000 }

  it('costs what it costs as a whole: policies carry it on from part to part', async () => {
    const whole = buildSession({ turns: 20, stepsPerTurn: 4, resultChars: 6_000 })
    const cuts = [0, 70, 131, whole.entries.length]
    const parts = cuts.slice(1).map((end, place) => ({
      session: whole.session,
      entries: whole.entries.slice(cuts[place], end),
      continues: place > 0,
    }))
    const [inOne, inParts] = [await replay([whole], policies, options), await replay(parts, policies, options)]
    expect(inParts.runs.map(({ totals, messages }) => ({ totals, messages }))).toEqual(
      inOne.runs.map(({ totals, messages }) => ({ totals, messages })),
    )
    expect(inOne.runs.some(({ totals }) => totals.compactions > 0)).toBe(true)
  })

  it('is read from a written transcript as it was', async () => {
    const path = join(await createFolder(), 'one.jsonl')
    const session = buildSession({ turns: 3, stepsPerTurn: 2, resultChars: 200 })
    await writeFile(path, writeTranscript(session))
    const parts = await Array.fromAsync(readTranscriptFile({ path, bytes: 1 }, ({ reason }) => expect.fail(reason)))
    expect(parts[0]?.entries).toEqual(session.entries)
  })
})
