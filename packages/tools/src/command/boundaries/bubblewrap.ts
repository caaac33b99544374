import { homedir } from 'node:os'
import { BEYOND_MOUNTS } from './beyond-mounts.ts'
import { toNamespaceWords } from './boundary.ts'
import type { Boundary, BoundaryOptions } from './boundary.ts'
import { NO_BOUNDARY } from './no-boundary.ts'
import { planMounts } from './plan-mounts.ts'
import type { Mount } from './plan-mounts.ts'

/** Ends with the supervisor, and with its first process everything in it. */
const PROCESSES = ['--die-with-parent', '--as-pid-1']

const KEEP_MOUNTS = BEYOND_MOUNTS.flatMap((name) => ['--cap-drop', `CAP_${name.toUpperCase()}`])

/** Everything as it is, except that the command sees no process but its own and nothing of Longhaul's data. */
export function createHidingBoundary({ folder, hidden }: BoundaryOptions): Boundary {
  const everything = ['--unshare-pid', '--bind', '/', '/', '--dev-bind', '/dev', '/dev', '--proc', '/proc']
  return createBubblewrap({
    name: 'a process namespace (bwrap), data folder and configuration hidden',
    reach: `${NO_BOUNDARY.reach}, except Longhaul's own data`,
    base: () => [...everything, ...KEEP_MOUNTS, ...toWords({ hidden, writable: [folder] })],
    folder,
  })
}

/** Places where sockets, secrets of users and others' temporary files lie. */
const PRIVATE_FOLDERS = ['/home', '/root', '/run', '/tmp', '/var/tmp']

/** The machine's programs to read, the workspace to write, a home and a /tmp of its own, and nothing else. */
export function createBubblewrapSandbox(options: BoundaryOptions): Boundary {
  const { folder, hidden, network = false, readable = [], environment } = options
  const alone = ['--unshare-all', ...(network ? ['--share-net'] : []), '--cap-drop', 'ALL']
  const system = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unsetenv', 'TMPDIR']
  const home = environment['HOME'] ?? homedir()
  const mounts = {
    hidden: [...PRIVATE_FOLDERS, home, ...hidden],
    // Names are looked up by a file that often lies in /run.
    readable: [...readable, ...(network ? ['/etc/resolv.conf'] : [])],
    writable: [folder],
  }
  return createBubblewrap({
    name: `bubblewrap, ${network ? 'with' : 'without'} network`,
    reach: `in a sandbox: it can change the workspace, read programs but not your home, and ${network ? 'reach the network' : 'reach no network'}`,
    base: () => [...alone, ...system, ...toWords(mounts)],
    folder,
  })
}

interface BubblewrapParts extends Pick<Boundary, 'name' | 'reach'> {
  /** Worked out for each command: files come and go. */
  readonly base: () => readonly string[]
  readonly folder: string
}

function createBubblewrap({ name, reach, base, folder }: BubblewrapParts): Boundary {
  return {
    name,
    reach,
    isNamespaced: true,
    wrap: (command) => ({
      file: 'bwrap',
      arguments: [...PROCESSES, ...base(), '--chdir', folder, '--', ...toNamespaceWords(command)],
      endWith: null,
    }),
  }
}

function toWords(wishes: Parameters<typeof planMounts>[0]): readonly string[] {
  return planMounts(wishes).flatMap(({ path, how }) => WORDS[how](path))
}

const WORDS: Readonly<Record<Mount['how'], (path: string) => readonly string[]>> = {
  'hide-folder': (path) => ['--tmpfs', path],
  'hide-file': (path) => ['--ro-bind', '/dev/null', path],
  read: (path) => ['--ro-bind', path, path],
  write: (path) => ['--bind', path, path],
}
