import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createCommandRunner } from './command-runner.ts'
import type { CommandRunner, CommandRunnerOptions } from './command-runner.ts'
import { readProcess } from './processes/process-table.ts'

const PATH = process.env['PATH'] ?? ''
let folder: string
let workspace: string

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'longhaul-runner-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  workspace = join(folder, 'data', 'workspace')
  await mkdir(workspace, { recursive: true })
  await writeFile(join(folder, 'data', 'longhaul.db'), 'what was said')
  await writeFile(join(folder, 'config.json5'), '{ apiKey: "a key" }')
})

function create(options: Partial<CommandRunnerOptions> = {}): CommandRunner {
  const runner = createCommandRunner({
    folder: workspace,
    environment: { PATH, HOME: folder },
    hidden: [join(folder, 'data'), join(folder, 'config.json5')],
    ...options,
  })
  onTestFinished(() => runner.close())
  return runner
}

async function run(runner: CommandRunner, command: string, timeoutMs = 20_000): Promise<string> {
  const { output } = await runner.run(command, { timeoutMs, signal: new AbortController().signal })
  return String(output)
}

function find(program: string): string | null {
  return (
    PATH.split(delimiter)
      .map((place) => join(place, program))
      .find(existsSync) ?? null
  )
}

/** A PATH with these programs and no other. */
async function createPath(programs: readonly string[]): Promise<string> {
  const place = join(folder, 'programs')
  await mkdir(place)
  for (const program of programs) {
    const found = find(program)
    if (found !== null) await symlink(await realpath(found), join(place, program))
  }
  return place
}

const TOOLS = ['cat', 'sleep', 'setsid', 'env', 'setpriv', 'unshare']
/** Whether a process namespace can be made here without Bubblewrap. */
const hasNamespaces =
  spawnSync('unshare', ['--pid', '--fork', '--kill-child', '--mount-proc', 'true']).status === 0 ||
  spawnSync('unshare', ['--user', '--map-current-user', '--pid', '--fork', '--kill-child', '--mount-proc', 'true'])
    .status === 0

describe.each(['auto', 'none', 'auto without bwrap'] as const)('commands, %s', (mode) => {
  const start = async (): Promise<CommandRunner> => {
    if (mode !== 'auto without bwrap') return create({ sandbox: mode })
    return create({ environment: { PATH: await createPath(TOOLS), HOME: folder } })
  }

  it('tell their output, their exit code, and what they left running', async () => {
    const runner = await start()
    expect(await run(runner, 'pwd; echo wrong >&2; exit 3')).toMatch(/\[exit code 3\]$/)
    expect(await run(runner, '(sleep 0.1; echo late) & echo first')).toBe('first\nlate\n[exit code 0]')
    expect(await run(runner, 'setsid sleep 60 & echo x')).toBe(
      'x\n[1 process that it left running in the background was ended]\n[exit code 0]',
    )
    expect(await run(runner, 'no-such-program')).toMatch(/not found\n\[exit code 127\]$/)
  })

  it('may end in their own way when they are stopped, and are killed if they do not', async () => {
    const runner = await start()
    const kind = `trap 'echo saved; exit 0' TERM; sleep 60 & wait`
    expect(await run(runner, kind, 500)).toBe('saved\n[stopped after 500 ms]')
    expect(await run(runner, `trap '' TERM; sleep 60`, 200)).toBe('[stopped after 200 ms]')
  })

  it('run side by side', async () => {
    const runner = await start()
    const outputs = await Promise.all(Array.from({ length: 12 }, (_, index) => run(runner, `sleep 0.1; echo ${index}`)))
    expect(outputs).toStrictEqual(Array.from({ length: 12 }, (_, index) => `${index}\n[exit code 0]`))
  })
})

describe('the boundary', () => {
  it('is a process namespace where the system has one: a command sees no process but its own', async () => {
    const runner = create({ environment: { PATH: await createPath(TOOLS), HOME: folder } })
    const chosen = await runner.boundary()
    const count = Number.parseInt(await run(runner, 'set -- /proc/[0-9]*; echo $#'), 10)
    expect({ chosen, isAlone: count < 5 }).toMatchObject({
      chosen: { boundary: { isNamespaced: hasNamespaces } },
      isAlone: hasNamespaces,
    })
  })

  it('is never left out where it was asked for by name', async () => {
    const runner = create({ sandbox: 'bubblewrap', environment: { PATH: await createPath(TOOLS), HOME: folder } })
    expect(await run(runner, 'touch ran')).toMatch(/^Not run: tools\.command\.sandbox is "bubblewrap"/)
    expect(existsSync(join(workspace, 'ran'))).toBe(false)
  })

  it('is said to the person who is asked', async () => {
    expect(await create({ sandbox: 'none' }).reach()).toBe('it can read and change whatever you can')
    expect(await create({ sandbox: 'bubblewrap' }).reach()).toMatch(/^in a sandbox: .* reach no network$/)
    expect(await create({ sandbox: 'docker', image: 'debian' }).reach()).toMatch(/^in a container of debian: /)
  })
})

describe('docker, by a program that stands in for it', () => {
  /** Keeps what it was called with, and runs commands so that only `docker kill` ends them. */
  const STAND_IN = `#!/bin/sh
echo "$@" >> "$HOME/docker-calls"
case $1 in
  kill) kill -9 -"$(cat "$HOME/$2")" ;;
  run)
    shift
    while
      case $1 in --name=*) false ;; esac
    do shift; done
    name=\${1#--name=}
    while [ "$1" != IMAGE ]; do shift; done
    shift
    env -i PATH="$PATH" setsid "$@" &
    echo $! > "$HOME/$name"
    wait $! ;;
esac
`
  it('starts a container without network, and kills it by its name', async () => {
    const place = await createPath([...TOOLS, 'sh'])
    await writeFile(join(place, 'docker'), STAND_IN)
    await chmod(join(place, 'docker'), 0o755)
    const environment = { PATH: place, HOME: folder, LANG: 'C' }
    const runner = create({ sandbox: 'docker', image: 'IMAGE', environment })
    expect(await run(runner, 'echo inside')).toBe('inside\n[exit code 0]')
    expect(await run(runner, 'sleep 61', 300)).toContain('[stopped after 300 ms]')
    const calls = (await readFile(join(folder, 'docker-calls'), 'utf8')).trim().split('\n')
    expect(calls.find((call) => call.endsWith('echo inside'))).toMatch(
      new RegExp(
        `^run --rm --init --name=longhaul-\\S+ --cap-drop=ALL --security-opt=no-new-privileges --network=none --user=\\d+:\\d+ --volume=${workspace}:${workspace} --workdir=${workspace} --env=LANG IMAGE /bin/sh -c echo inside$`,
      ),
    )
    expect(calls.at(-1)).toMatch(/^kill longhaul-/)
    // What the engine was to end is gone: its stand-in has no other process left.
    const pid = Number(await readFile(join(folder, calls.at(-1)?.slice('kill '.length) ?? ''), 'utf8'))
    await expect.poll(() => readProcess(pid)?.isZombie ?? true).toBe(true)
  })
})
