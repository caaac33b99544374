import { expect, it } from 'vitest'
import { createDataFolder, describeWithTerminal, openTerminal, serveModel } from './describe-with-terminal.ts'
import { KEYS } from './start-terminal.ts'
import type { TestTerminal } from './start-terminal.ts'

/** The status line has been read: from here on, keys are taken. */
const READY = /of 32\.8k \(/

/** Something is going on. */
const WHEEL = /^ [⠁-⣿] /m

async function openChat(folder: string, ...words: readonly string[]): Promise<TestTerminal> {
  const terminal = openTerminal(folder, { arguments: ['chat', ...words] })
  await terminal.waitFor(READY)
  return terminal
}

function say(terminal: TestTerminal, text: string): void {
  terminal.type(text)
  terminal.type(KEYS.enter)
}

async function leave(terminal: TestTerminal): Promise<void> {
  terminal.type(KEYS.ctrlD)
  expect(await terminal.ended).toBe(0)
}

describeWithTerminal('chat on a terminal', () => {
  it('starts at once without key and configuration, and says in two lines how to use a real model', async () => {
    const terminal = await openChat(await createDataFolder())
    const lines = terminal.screen().split('\n')
    const first = lines.findIndex((line) => line.includes('It is not an LLM.'))
    expect(lines[first]).toContain('No key set: offline/extractive answers')
    expect(lines[first + 1]).toMatch(/^. Set ANTHROPIC_API_KEY, .* for one\.$/)
    expect(lines.at(-1)).toMatch(/^offline\/extractive · .* of 32\.8k \(estimated\) · 0 compactions · \$0\.00$/)
    say(terminal, 'My dog is called Bello.')
    await terminal.waitFor('Noted.')
    await terminal.waitFor('(reported)')
    await leave(terminal)
    expect(terminal.screen()).toMatch(/Go on with: longhaul chat --session [\w-]{36}$/)
  })

  it('draws Markdown, and goes on with a session where it was left', async () => {
    const folder = await createDataFolder()
    await serveModel(folder, {
      replies: [{ text: ['# Beds\n\n', '- **beans** in\n', '- `peas` out\n'] }],
    })
    const terminal = await openChat(folder)
    say(terminal, 'What is in?')
    const screen = await terminal.waitFor('- peas out')
    expect(screen).toContain('- beans in')
    expect(screen).not.toContain('**')
    await terminal.waitFor('(reported)')
    await leave(terminal)

    const again = await openChat(folder, '--session', 'last')
    expect(again.screen()).toContain('❯ What is in?')
    expect(again.screen()).toContain('- beans in')
    again.type(KEYS.up)
    await again.waitFor((now) => now.split('What is in?').length === 3)
    again.type(KEYS.ctrlC)
    await again.waitFor((now) => now.split('What is in?').length === 2)
    await leave(again)
  })

  it('shows what is typed while a turn runs, cancels with Ctrl-C, and then answers what waited', async () => {
    const folder = await createDataFolder()
    await serveModel(folder, {
      replies: [
        { text: ['Slowly', ' does it', '.'], breaksOff: { afterPieces: 2, how: 'stall' } },
        { text: 'The second answer.' },
      ],
    })
    const terminal = await openChat(folder)
    say(terminal, 'First question')
    await terminal.waitFor('does it')
    say(terminal, 'Second question')
    await terminal.waitFor('queued: Second question')
    terminal.type(KEYS.ctrlC)
    await terminal.waitFor('The second answer.')
    expect(terminal.screen()).toMatch(/Slowly does it\n\n. Cancelled\.\n\n❯ Second question/)
    expect(terminal.screen()).not.toContain('queued:')
    await leave(terminal)
  })

  it('leaves when Ctrl-C is pressed twice', async () => {
    const terminal = await openChat(await createDataFolder())
    terminal.type(KEYS.ctrlC)
    await terminal.waitFor('Press Ctrl-C again to leave.')
    terminal.type(KEYS.ctrlC)
    expect(await terminal.ended).toBe(0)
  })

  it('asks in place before a command runs, and keeps its answer folded on one line', async () => {
    const folder = await createDataFolder()
    const call = { name: 'run_command', input: { command: 'echo one; echo two' } }
    await serveModel(folder, {
      replies: [{ toolCalls: [call] }, { text: 'It ran.' }, { toolCalls: [call] }, { text: 'It did not run.' }],
    })
    const terminal = await openChat(folder)
    say(terminal, 'Run it')
    await terminal.waitFor('? Allow run_command (Run: echo one; echo two')
    // What is being typed when the question comes up is not an answer.
    terminal.type('y')
    await terminal.waitFor(/^y$/m)
    expect(terminal.screen()).toContain('○ ▸ run_command')
    terminal.type(KEYS.enter)
    const ran = await terminal.waitFor('It ran.')
    expect(ran).toMatch(/● ▸ run_command echo one; echo two \(\d+ characters\)/)
    expect(ran).not.toContain('exit code')
    terminal.type(KEYS.ctrlO)
    await terminal.waitFor(/▾ run_command.*\n {4}command: .*\n {4}one\n {4}two\n/)
    terminal.type(KEYS.ctrlO)
    await terminal.waitFor((screen) => !screen.includes('exit code'))
    say(terminal, 'Again')
    await terminal.waitFor('? Allow')
    say(terminal, 'n')
    expect(await terminal.waitFor('It did not run.')).toMatch(/✗ ▸ run_command/)
    await leave(terminal)
  })

  it('completes commands and models, and takes several lines', async () => {
    const folder = await createDataFolder()
    const server = await serveModel(folder, {})
    const terminal = await openChat(folder)
    terminal.type('/mod')
    await terminal.waitFor('show or change the model')
    terminal.type(KEYS.tab)
    await terminal.waitFor(/^\/model$/m)
    terminal.type('oth')
    await terminal.waitFor('→ local/other')
    terminal.type(KEYS.tab)
    await terminal.waitFor('/model local/other')
    terminal.type(KEYS.enter)
    await terminal.waitFor(/^local\/other · /m)
    terminal.type(`one${KEYS.ctrlJ}two`)
    await terminal.waitFor(/one\ntwo/)
    terminal.type(KEYS.enter)
    await terminal.waitFor('Fine.')
    expect(JSON.stringify(server.requests[0]?.messages)).toContain(String.raw`one\ntwo`)
    say(terminal, '/modle')
    await terminal.waitFor('Did you mean /model?')
    await leave(terminal)
  })

  it('ONE-17 OPEN-16 says that it compacts and what came of it; /compact, /undo, /status and /context show theirs', async () => {
    const folder = await createDataFolder()
    let answers = 0
    await serveModel(folder, {
      otherwise: () => ({ text: `${'All beds are dry and need water. '.repeat(120)}\n\nAnswer ${(answers += 1)}.` }),
      summary: { text: '<summary>\n+ Goal: water the beds\n</summary>', delays: { firstByteMs: 500 } },
      config:
        'compaction: { triggerTokens: 6000, prepareRatio: "off", keepRecentTokens: 1000, memoryFlush: { enabled: false } }',
    })
    const terminal = await openChat(folder, '--verbose')
    const optimizing = terminal.waitFor('Optimizing conversation context…')
    for (let turn = 1; !terminal.everything().includes('🧹'); turn += 1) {
      say(terminal, `Question ${turn}`)
      await terminal.waitFor((screen) => screen.includes(`Answer ${turn}.`) && !WHEEL.test(screen))
    }
    await optimizing
    expect(terminal.everything()).toMatch(/🧹 Auto-compaction complete: [\d,]+ → [\d,]+ tokens/)
    await terminal.waitFor(/ [1-9] compactions? · /)
    say(terminal, '/undo')
    await terminal.waitFor(/is undone|all the same\?/)
    if (terminal.screen().includes('all the same?')) say(terminal, 'y')
    await terminal.waitFor('The last compaction is undone')
    say(terminal, '/compact keep the figures')
    await terminal.waitFor(/Compacted: [\d,]+ → [\d,]+ tokens/)
    say(terminal, '/status')
    await terminal.waitFor(/│ compactions {2}\d/)
    say(terminal, '/context')
    await terminal.waitFor(/Z {2}summary +1 /)
    await leave(terminal)
  })

  it('fits narrow and wide terminals, also when they change', async () => {
    const folder = await createDataFolder()
    await serveModel(folder, { replies: [{ text: `A ${'long '.repeat(40)}line.` }] })
    const terminal = openTerminal(folder, { arguments: ['chat'], columns: 100, rows: 30 })
    await terminal.waitFor(READY)
    say(terminal, 'Hello')
    await terminal.waitFor('line.')
    for (const columns of [40, 24, 120]) {
      terminal.resize(columns, 20)
      await terminal.waitFor((screen) =>
        screen.split('\n').some((line) => /^─+$/.test(line) && line.length === columns),
      )
      await terminal.waitFor(READY)
    }
    expect(terminal.screen().split('\n').at(-1)).toMatch(/^local\/m · █/)
    await leave(terminal)
  })

  it('uses no colour under NO_COLOR, and leaves nothing behind where nothing was said', async () => {
    const folder = await createDataFolder()
    const terminal = openTerminal(folder, { arguments: ['chat'], environment: { NO_COLOR: '1' } })
    await terminal.waitFor(READY)
    const pieces = terminal.picture().flat()
    expect(pieces.filter(({ colour, isBold, isDim }) => colour !== null || isBold || isDim)).toEqual([])
    await leave(terminal)
    const list = openTerminal(folder, { arguments: ['sessions', 'list'] })
    await list.waitFor('There are no sessions yet.')
    expect(await list.ended).toBe(0)
  })
})
