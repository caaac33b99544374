import { createRandom, pick, pickBetween, pickLogNormal } from '../../speed/random.ts'
import type { Random } from '../../speed/random.ts'

/** One call of a tool: what the model says before it, what it asks for, and what the tool answers. */
export interface ScriptedStep {
  readonly say: string
  readonly tool: 'read_file' | 'run_command' | 'edit_file'
  readonly input: Readonly<Record<string, string>>
  readonly result: string
}

/** A session of an agent: asks of a person, each with the calls that the model makes for it and the answer at the end. */
export interface ScriptedTurn {
  readonly ask: string
  readonly steps: readonly ScriptedStep[]
  readonly answer: string
}

const TURNS = 10
const STEPS_PER_TURN = 10
const FILES = 25
const SPREAD = 0.7
const MAX_RESULT_CHARS = 40_000

/** 100 calls of tools, the same ones on every machine: files are read, some of them again, and changed, and tests run. */
export function scriptSession(medianResultChars: number): readonly ScriptedTurn[] {
  const random = createRandom(21)
  return Array.from({ length: TURNS }, (_each, turn) => ({
    ask: `Part ${turn}: the module in src/part-${turn} drops its last row. Find out why, mend it, and run the tests. ${talk(random, 300)}`,
    steps: Array.from({ length: STEPS_PER_TURN }, (_step, step) =>
      scriptStep(random, turn * STEPS_PER_TURN + step, medianResultChars),
    ),
    answer: `Part ${turn} is mended: the loop ended one row too early. ${talk(random, 500)}`,
  }))
}

function scriptStep(random: Random, step: number, medianChars: number): ScriptedStep {
  const path = `src/part-${pickBetween(random, 0, FILES)}/rows.ts`
  const chars = Math.min(MAX_RESULT_CHARS, Math.round(pickLogNormal(random, medianChars, SPREAD)))
  const say = `Step ${step}: ${talk(random, 160)}`
  const kind = step % 5
  if (kind === 3) {
    const input = { path, before: code(random, 300), after: code(random, 350) }
    return { say, tool: 'edit_file', input, result: `${path} was changed.` }
  }
  if (kind === 4)
    return { say, tool: 'run_command', input: { command: `npm test -- ${path}` }, result: report(random, chars) }
  return { say, tool: 'read_file', input: { path }, result: code(random, chars) }
}

const WORDS = 'rows beds water index total before after limit the a of is when next value soil check count'.split(' ')

function talk(random: Random, chars: number): string {
  let text = ''
  while (text.length < chars) text += `${pick(random, WORDS)} `
  return `${text.trim()}.`
}

function code(random: Random, chars: number): string {
  let text = ''
  while (text.length < chars)
    text += `  const ${pick(random, WORDS)}${pickBetween(random, 0, 999)} = ${pick(random, WORDS)}(${pickBetween(random, 0, 9_999)})\n`
  return text
}

function report(random: Random, chars: number): string {
  let text = ''
  while (text.length < chars)
    text += `ok ${pickBetween(random, 1, 999)} ${pick(random, WORDS)} ${pick(random, WORDS)} in ${pickBetween(random, 1, 99)} ms\n`
  return text
}
