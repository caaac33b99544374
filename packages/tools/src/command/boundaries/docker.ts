import type { Boundary, BoundaryOptions } from './boundary.ts'
import { isInside, planMounts } from './plan-mounts.ts'
import type { Mount } from './plan-mounts.ts'

/** Variables about this machine's folders and users, which mean nothing in a container. */
const OF_THIS_MACHINE =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TMP|TEMP|EDITOR|VISUAL|PAGER|XDG_.*|SSL_CERT_.*|\w+_(?:HOME|ROOT|DIR|PREFIX|BUNDLE|CAINFO|CERTS)|GOPATH|GOROOT|VIRTUAL_ENV)$/

/** A container with the workspace and nothing else of this machine. */
export function createDockerBoundary(options: BoundaryOptions): Boundary {
  const { image = '', folder, hidden, network = false, environment } = options
  const names = Object.keys(environment).filter((name) => !OF_THIS_MACHINE.test(name))
  const user = process.getuid === undefined ? [] : [`--user=${process.getuid()}:${process.getgid?.() ?? 0}`]
  const fixed = [
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    ...(network ? [] : ['--network=none']),
    ...user,
    `--volume=${folder}:${folder}`,
    `--workdir=${folder}`,
    ...names.map((name) => `--env=${name}`),
  ]
  // Only hidden paths inside the workspace would be seen at all.
  const hide = (): readonly string[] =>
    planMounts({ hidden, writable: [folder] }).flatMap((mount) => hideInside(folder, mount))
  return {
    name: `docker (${image}), ${network ? 'with' : 'without'} network`,
    reach: `in a container of ${image}: it can change the workspace and ${network ? 'reach the network' : 'reach no network'}`,
    isNamespaced: false,
    wrap: (command, id) => ({
      file: 'docker',
      arguments: [
        'run',
        '--rm',
        '--init',
        `--name=${nameOf(id)}`,
        ...fixed,
        ...hide(),
        image,
        '/bin/sh',
        '-c',
        command,
      ],
      endWith: ['docker', 'kill', nameOf(id)],
    }),
  }
}

function nameOf(id: string): string {
  return `longhaul-${id}`
}

function hideInside(folder: string, { path, how }: Mount): readonly string[] {
  if (!isInside(path, folder) || !how.startsWith('hide')) return []
  return [how === 'hide-folder' ? `--tmpfs=${path}` : `--volume=/dev/null:${path}:ro`]
}
