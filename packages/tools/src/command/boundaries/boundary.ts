/** What a command is run in. `auto` takes the strongest that changes nothing for ordinary commands. */
type SandboxName = 'auto' | 'bubblewrap' | 'docker' | 'none'

export interface SandboxSettings {
  readonly sandbox: SandboxName
  /** The image of the container, for `docker`. */
  readonly image?: string
  /** Lets commands in a sandbox reach the network. */
  readonly network?: boolean
  /** Files and folders in the home folder that commands in `bubblewrap` may read. */
  readonly readable?: readonly string[]
}

export interface BoundaryOptions extends SandboxSettings {
  /** The workspace. */
  readonly folder: string
  /** Files and folders that no command has a reason to read: data, configuration. */
  readonly hidden: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

interface WrappedCommand {
  readonly file: string
  readonly arguments: readonly string[]
  /** A program that ends the command where ending the process here does not; null: none is needed. */
  readonly endWith: readonly string[] | null
}

/** One way to run a command. */
export interface Boundary {
  /** As `doctor` names it. */
  readonly name: string
  /** What a command can reach, for the person who is asked: "it can …". */
  readonly reach: string
  /** The command has a process namespace of its own: the kernel ends everything in it with its first process. */
  readonly isNamespaced: boolean
  readonly wrap: (command: string, id: string) => WrappedCommand
}

/**
 * The first process of a namespace. It runs the command, lets processes that the command left running finish what they
 * write for a quarter of a second, tells on descriptor 3 how many are left, and ends them by ending. Its own complaints
 * ("Terminated") are not output of the command.
 */
const FIRST_PROCESS = `exec 4>&2 2>/dev/null
(exec /bin/sh -c "$1" 2>&4 3>&- 4>&-)
code=$?
count() {
  left=0
  for each in /proc/[0-9]*; do
    [ "$each" != "/proc/$$" ] && [ -e "$each/exe" ] && left=$((left + 1))
  done
  [ "$left" = 0 ]
}
count || for pause in 1 2 3 4 5; do sleep 0.05; count && break; done
[ "$left" = 0 ] || echo "$left" >&3
exit "$code"`

export function toNamespaceWords(command: string): readonly string[] {
  return ['/bin/sh', '-c', FIRST_PROCESS, 'sh', command]
}
