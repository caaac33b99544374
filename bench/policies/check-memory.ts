import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { inFolder } from '../in-folder.ts'
import type { Goal } from '../report/goal.ts'

const MAX_MEGABYTES = 512
const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/longhaul.js')
const PEAK = `process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS))`

/** The real command on one conversation of so many messages. A million take ten minutes of a processor. */
export async function checkMemory(messages: number): Promise<Goal> {
  return inFolder(async (folder) => {
    const file = join(folder, 'long.jsonl')
    await pipeline(Readable.from(writeConversation(messages)), createWriteStream(file))
    const begin = performance.now()
    const megabytes = await runReplay(folder, file)
    const seconds = (performance.now() - begin) / 1_000
    return {
      name: `one conversation of ${messages.toLocaleString('en')} messages in at most ${MAX_MEGABYTES} MB`,
      isHeld: megabytes === null ? null : megabytes <= MAX_MEGABYTES,
      measured: megabytes === null ? 'it failed' : `${megabytes.toFixed(0)} MB at most, ${seconds.toFixed(0)} s`,
    }
  })
}

async function runReplay(folder: string, file: string): Promise<number | null> {
  const preload = `data:text/javascript,${encodeURIComponent(PEAK)}`
  const words = ['--import', preload, PROGRAM, 'replay', file, '--presets', 'longhaul', '--window', '32k']
  const child = spawn(process.execPath, words, {
    env: { ...process.env, LONGHAUL_DATA: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const told = await text(child.stderr)
  const kilobytes = /^peak (\d+)$/m.exec(told)?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) / 1_024
}

function* writeConversation(messages: number): Iterable<string> {
  const start = Date.UTC(2026, 0, 1)
  const model = 'anthropic/claude-opus-4-5'
  yield `${JSON.stringify({ type: 'session', version: 1, id: 'long', createdAt: start, model })}\n`
  for (let index = 0; index < messages; index += 1) {
    const turn = Math.floor(index / 2)
    const isAnswer = index % 2 === 1
    const reason = `It rained on day ${turn}, and the soil of row ${turn % 31} holds water. `.repeat(4)
    const said = isAnswer
      ? `Bed ${turn % 977} needs ${turn % 13} litres, as garden/plan-${turn % 400}.md says. ${reason}`
      : `What about bed ${turn % 977}? Look at garden/plan-${(turn * 7) % 400}.md, please. ${reason}`
    const role = isAnswer ? 'assistant' : 'user'
    const identity = { seq: index + 1, id: `m${index}`, at: start + index * 8_000 }
    yield `${JSON.stringify({ type: 'message', ...identity, role, parts: [{ type: 'text', text: said }] })}\n`
  }
}
