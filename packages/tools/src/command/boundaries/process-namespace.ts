import { BEYOND_MOUNTS } from './beyond-mounts.ts'
import { toNamespaceWords } from './boundary.ts'
import type { Boundary } from './boundary.ts'
import { NO_BOUNDARY } from './no-boundary.ts'

const UNSHARE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']

const KEEP_MOUNTS = [
  'setpriv',
  '--inh-caps=-all',
  `--bounding-set=${BEYOND_MOUNTS.map((name) => `-${name}`).join(',')}`,
  '--',
]

/** By util-linux: the command sees no process but its own, and the kernel ends them all with the first. Files are as they were. */
export function createProcessNamespace(who: 'root' | 'user'): Boundary {
  return {
    name: 'a process namespace (unshare)',
    reach: NO_BOUNDARY.reach,
    isNamespaced: true,
    wrap: (command) => ({
      // The kernel ends it with the supervisor, should that be killed.
      file: 'setpriv',
      arguments: [
        '--pdeathsig',
        'KILL',
        ...UNSHARE,
        // Other users than root may make such a namespace only inside one of users.
        ...(who === 'user' ? ['--user', '--map-current-user', '--'] : ['--', ...KEEP_MOUNTS]),
        ...toNamespaceWords(command),
      ],
      endWith: null,
    }),
  }
}
