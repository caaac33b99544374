import { describe, expect, test } from 'vitest'
import { assistant, call, items, result, tool } from '../../testing/build-conversation.ts'
import type { JsonObject } from '../../transcript/json.ts'
import { extractFacts } from '../extract-facts.ts'

function factsOf(input: JsonObject, output: string | null, isError = false) {
  const answer = output === null ? [] : [tool(result('a', output, { isError }))]
  return extractFacts(items(assistant(call('a', 'bash', input)), ...answer))
}

function noteOf(output: string | null, isError = false): string | undefined {
  return factsOf({ command: 'npm test' }, output, isError).find(({ kind }) => kind === 'command')?.note
}

describe('collectCommands', () => {
  test('keeps the first line as it was typed', () => {
    const [fact] = factsOf({ command: 'npm test  -- a\nls' }, 'x').filter(({ kind }) => kind === 'command')
    expect(fact).toMatchObject({ text: 'npm test  -- a', note: 'ok', by: 'assistant', sources: ['m1'], count: 1 })
    const [long] = factsOf({ command: 'echo '.repeat(100) }, 'x').filter(({ kind }) => kind === 'command')
    expect(long?.text).toHaveLength(201)
  })

  test.each([
    ["python3 - <<'EOF'\nprint(1)\nEOF", "python3 - <<'EOF' print(1)"],
    [
      `git commit -m "$(cat <<'EOF'\nMove the parser\n\nIt was alone.\nEOF\n)"`,
      `git commit -m "$(cat <<'EOF' Move the parser`,
    ],
    ['docker run \\\n  --rm alpine', 'docker run --rm alpine'],
    ['docker run \\\n  -e A=1 \\\n  alpine\nls', 'docker run -e A=1 alpine'],
    ['cd /app && \\\n\nnpm \\\n  test', 'cd /app && npm test'],
    ['cd /app\nnpm test', 'cd /app && npm test'],
    ["cat > notes.txt <<'EOF'\n\nEOF", "cat > notes.txt <<'EOF'"],
    ['ls\npwd', 'ls'],
  ])('%j goes on where its first line is not the command yet', (command, expected) => {
    expect(commandOf(command)).toBe(expected)
  })

  test('a list of words is a command too', () => {
    expect(commandOf(['git', 'status'])).toBe('git status')
    expect(commandOf(['bash', '-lc', 'npm test && ls'])).toBe('npm test && ls')
  })

  test('says what came of it', () => {
    expect(noteOf('all fine')).toBe('ok')
    expect(noteOf(null)).toBe('no result')
    expect(noteOf('FAIL src/a.test.ts\nCommand exited with code 1')).toBe('failed (exit 1): FAIL src/a.test.ts')
    expect(noteOf('bash: foo: command not found', true)).toBe('failed: bash: foo: command not found')
    expect(noteOf('Exit code: 0')).toBe('ok')
  })

  test('the last outcome stands', () => {
    const facts = extractFacts(items(...run('a', 'exit code 1'), ...run('b', 'exit code 0')))
    expect(facts.find(({ kind }) => kind === 'command')).toMatchObject({ note: 'ok', count: 2, sources: ['m1', 'm3'] })
  })
})

describe('collectFailures', () => {
  test('keeps the lines that report one, in their words', () => {
    const output =
      'running\nsrc/a.ts(3,4): error TS2339: Property x does not exist.\nok\nTypeError: x is not a function\n  at y'
    expect(failuresOf(output)).toEqual([
      'src/a.ts(3,4): error TS2339: Property x does not exist.',
      'TypeError: x is not a function',
    ])
  })

  test('a printed file with the word error in it is no failure', () => {
    expect(failuresOf('throw new Error("x")\nerror: 3', false, 'cat src/a.ts')).toEqual([])
    expect(failuresOf('12 tests, 0 failures')).toEqual([])
  })

  test('a failed call without such a line gives its first line', () => {
    expect(failuresOf('<tool_use_error>Nothing to do here</tool_use_error>', true)).toEqual(['Nothing to do here'])
  })

  test('the same report with other numbers is one failure in its newest state', () => {
    const facts = extractFacts(items(...run('a', '5 tests, 3 failures'), ...run('b', '5 tests, 1 failures')))
    expect(facts.flatMap(({ kind, text }) => (kind === 'failure' ? [text] : []))).toEqual(['5 tests, 1 failures'])
  })
})

function failuresOf(output: string, isError = false, command = 'npm test') {
  return factsOf({ command }, output, isError).flatMap(({ kind, text }) => (kind === 'failure' ? [text] : []))
}

function run(id: string, output: string) {
  return [assistant(call(id, 'bash', { cmd: 'npm test' })), tool(result(id, output))]
}

function commandOf(command: string | string[]) {
  return factsOf({ command }, 'x').find(({ kind }) => kind === 'command')?.text
}
