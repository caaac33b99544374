import { spawn } from 'node:child_process'

export type Machine = Pick<NodeJS.Process, 'platform' | 'env'>

/** Whether a window would open before the person who started the program: not in CI, over SSH or without a display. */
export function canOpenBrowser({ platform, env }: Machine): boolean {
  const isElsewhere = [env['CI'], env['SSH_CONNECTION'], env['SSH_TTY']].some((value) => value !== undefined)
  if (isElsewhere) return false
  if (platform === 'darwin' || platform === 'win32') return true
  return [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((value) => value !== undefined && value !== '')
}

/** By the platform's own opener, without a shell. The address is printed as well, so a failure needs no word. */
export function openBrowser(url: string, machine: Machine): void {
  const [program, ...words] = commandFor(machine.platform)
  const opener = spawn(program, [...words, url], { env: envOf(machine), stdio: 'ignore', detached: true })
  opener.on('error', () => undefined)
  opener.unref()
}

function commandFor(platform: NodeJS.Platform): readonly [program: string, ...words: string[]] {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}

/** What a browser needs, and no keys: other programs of the same user can read the environment of a process. */
const NEEDED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TMPDIR|BROWSER|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION|KDE_\w+|GNOME_\w+|SystemRoot|SystemDrive|APPDATA|LOCALAPPDATA|USERPROFILE|ProgramFiles.*|ProgramData|windir|TEMP|TMP)$/i

function envOf({ env }: Machine): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.test(name)))
}
