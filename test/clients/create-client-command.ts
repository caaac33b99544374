import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientSetup } from './client-under-test.ts'

interface ClientProgram {
  /** As it is typed. */
  readonly program: string
  /** The folder that holds it. */
  readonly bin: string
  readonly home: string
}

interface ClientCommand {
  readonly program: string
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const LONGHAUL = join(import.meta.dirname, '../../packages/cli/bin/longhaul.js')

/** A client's command, as its user would type it, with `longhaul run` before it or without. */
export async function createClientCommand(
  setup: ClientSetup,
  { program, bin, home }: ClientProgram,
): Promise<ClientCommand> {
  const data = join(setup.folder, 'data')
  await mkdir(data, { recursive: true })
  const upstreams = { anthropic: setup.upstream, openai: setup.upstream }
  await writeFile(join(data, 'config.json5'), JSON.stringify({ gateway: { upstreams } }))
  const environment = { PATH: `${bin}:${process.env['PATH']}`, HOME: home, LONGHAUL_DATA: data }
  return setup.longhaul
    ? { program: process.execPath, words: [LONGHAUL, 'run', '--port', '0', program], environment }
    : { program: join(bin, program), words: [], environment }
}
