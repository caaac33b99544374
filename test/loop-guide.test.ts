import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const PAGE = new URL('../docs/guide/in-a-loop-of-your-own.md', import.meta.url)
// Inside the repository, so that the packages are found.
const folder = mkdtempSync(join(import.meta.dirname, '.guide-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The names that the page leaves to its reader. */
const STAND_INS = `
const folder = ${JSON.stringify(folder)}
const callModel = async (system, messages) => {
  if (!Array.isArray(messages) || messages.length === 0) throw new Error('nothing was sent')
  return 'Beans like it there. '.repeat(100)
}
async function* streamModel(system, messages) {
  yield* ['Once ', 'upon ', 'a time.']
}
`
const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/## ([^\n]*)|```ts\n([^]*?)```/g)]
  .reduce<{ title: string; code: string }[]>((found, [, title, code]) => {
    if (title !== undefined) return [...found, { title, code: '' }]
    const last = found.at(-1)
    return last === undefined ? found : [...found, { title: last.title, code: code ?? '' }]
  }, [])
  .filter(({ code }) => code !== '')

it.each(blocks.map(({ title, code }, index) => [index + 1, title, code] as const))(
  'program %i of the page on loops works as it stands there: %s',
  (index, _title, code) => {
    const file = join(folder, `program-${index}.mjs`)
    const [imports, rest] = split(code)
    writeFileSync(file, `${imports}\n${STAND_INS}\n${rest}`)
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    if (code.includes('excerpt')) expect(stdout).toContain('4711-B')
  },
)

it('the five lines of the README work as they stand there', () => {
  const code =
    /```ts\n(import \{ createContext \}[^]*?)```/.exec(
      readFileSync(new URL('../README.md', import.meta.url), 'utf8'),
    )?.[1] ?? ''
  expect(code.trim().split('\n')).toHaveLength(5)
  const file = join(folder, 'readme.mjs')
  const [imports, rest] = split(code)
  const names = `const { signal } = new AbortController()
const ask = async () => 'They planted the garden.'
const [answer, usage] = ['Beans like it there.', { input: 120, output: 6 }]`
  const check = `console.log(request.messages.length, context.measure().tokens)`
  writeFileSync(file, `${imports}\n${names}\n${rest}\n${check}`)
  const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: '1 126\n', stderr: '' })
})

it('the page has a program for each of its parts', () => {
  expect(blocks.length).toBeGreaterThan(10)
})

function split(code: string): readonly [imports: string, rest: string] {
  const lines = code.split('\n')
  const isImport = (line: string): boolean => line.startsWith('import ')
  return [lines.filter(isImport).join('\n'), lines.filter((line) => !isImport(line)).join('\n')]
}
