// npx node docs/take-terminal-pictures.ts: runs the program in a pseudo-terminal and draws what it shows into docs/images.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import type { WireAnswer } from '@longhaul/models/testing'
import { KEYS, startTerminal } from '../test/terminal/start-terminal.ts'
import type { ScreenPiece, TestTerminal } from '../test/terminal/start-terminal.ts'

const CELL = { width: 8.4, height: 18 }
const MARGIN = 14
/** The first eight colours of a terminal, readable on a dark ground. */
const COLOURS = ['#3b4252', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#dcdfe4']
const GROUND = '#1e222a'
const TEXT = '#dcdfe4'

if (import.meta.main) await takeTerminalPictures(join(import.meta.dirname, 'images'))

/** Draws them into this folder. */
export async function takeTerminalPictures(images: string): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'longhaul-pictures-'))
  try {
    await takeFirstRun(join(data, 'first'), images)
    await takeChat(await mkdtemp(join(data, 'chat-')), images)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** Without any key or configuration. */
async function takeFirstRun(data: string, images: string): Promise<void> {
  const terminal = open(data, 22)
  await terminal.waitFor('of 32.8k (')
  say(terminal, 'My dog is called Bello and likes the garden.')
  await terminal.waitFor('Noted.')
  await terminal.waitFor('(reported)')
  say(terminal, 'What is my dog called?')
  await terminal.waitFor('│ My dog')
  await draw(terminal, join(images, 'terminal-first-run.svg'))
  await terminal.close()
}

/** A model that follows a script, so that the pictures are the same each time. */
async function takeChat(data: string, images: string): Promise<void> {
  const replies: WireAnswer[] = [
    { text: `${'The soil of every bed is dry, and the beans need water. '.repeat(150)}\n\nThat is all.` },
    { text: 'I look at the notes first.', toolCalls: [{ name: 'run_command', input: { command: 'ls beds' } }] },
    { text: ['## What is left\n\n', '- **bed 4** is dry\n', '- `beans` need water by Friday\n'] },
    { text: ['I am going through', ' all beds'], breaksOff: { afterPieces: 2, how: 'stall' } },
  ]
  const server = await startWireServer({
    otherwise: ({ body, text }) =>
      body['tools'] !== undefined
        ? (replies.shift() ?? { text: 'Done.' })
        : {
            text: text.includes('You name conversations')
              ? 'The beds'
              : '<summary>\n+ Goal: water every bed\n</summary>',
          },
  })
  const models = '{ gardener: { contextWindow: 32768, maxOutput: 4096 } }'
  const provider = `{ type: "openai-compatible", baseURL: "${server.baseURL}", models: ${models} }`
  await writeFile(
    join(data, 'config.json5'),
    `{ providers: { local: ${provider} }, agents: { defaults: { model: "local/gardener" } } }`,
  )
  const terminal = open(data, 24)
  await terminal.waitFor('of 32.8k (')
  say(terminal, 'Tell me about the beds.')
  await terminal.waitFor('That is all.')
  say(terminal, 'What is left to do?')
  await terminal.waitFor('? Allow')
  await draw(terminal, join(images, 'terminal-approval.svg'))
  say(terminal, 'y')
  await terminal.waitFor('by Friday')
  say(terminal, 'Go through all of them.')
  await terminal.waitFor('all beds')
  say(terminal, 'And the shed?')
  await terminal.waitFor('queued: And the shed?')
  await draw(terminal, join(images, 'terminal-queue.svg'))
  terminal.type(KEYS.ctrlC)
  await terminal.waitFor('Done.')
  say(terminal, '/compact')
  await terminal.waitFor('Compacted:')
  say(terminal, '/context')
  await terminal.waitFor(/summary +1 /)
  await draw(terminal, join(images, 'terminal-context.svg'))
  await terminal.close()
  await server.close()
}

function open(data: string, rows: number): TestTerminal {
  const environment = {
    LONGHAUL_DATA: data,
    ANTHROPIC_API_KEY: '',
    OPENAI_API_KEY: '',
    GOOGLE_GENERATIVE_AI_API_KEY: '',
  }
  return startTerminal({ arguments: ['chat'], columns: 80, rows, environment })
}

function say(terminal: TestTerminal, text: string): void {
  terminal.type(`${text}${KEYS.enter}`)
}

async function draw(terminal: TestTerminal, file: string): Promise<void> {
  const rows = terminal.picture()
  const width = 80 * CELL.width + 2 * MARGIN
  const height = rows.length * CELL.height + 2 * MARGIN
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
<rect width="${width}" height="${height}" rx="8" fill="${GROUND}"/>
${rows.flatMap((pieces, row) => drawRow(pieces, row)).join('\n')}
</svg>
`
  await writeFile(file, svg)
}

function drawRow(pieces: readonly ScreenPiece[], row: number): readonly string[] {
  let column = 0
  return pieces.flatMap(({ text, columns, colour, isBold, isDim, isInverse }) => {
    const at = column
    column += columns
    const x = (MARGIN + at * CELL.width).toFixed(1)
    const y = MARGIN + row * CELL.height
    if (isInverse)
      return [`<rect x="${x}" y="${y + 2}" width="${CELL.width}" height="${CELL.height - 2}" fill="${TEXT}"/>`]
    if (text.trim() === '') return []
    const look = `${isBold ? ' font-weight="bold"' : ''}${isDim ? ' opacity="0.6"' : ''}`
    const fill = colour === null ? TEXT : (COLOURS[colour % COLOURS.length] ?? TEXT)
    const blanks = text.length - text.trimEnd().length
    const length = ((columns - blanks) * CELL.width).toFixed(1)
    return [
      `<text x="${x}" y="${y + 14}" fill="${fill}"${look} textLength="${length}" xml:space="preserve">${escape(text.trimEnd())}</text>`,
    ]
  })
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
