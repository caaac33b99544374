import { fstatSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'

/** How long a program that started this one is given to begin to write, where it need not. */
const BEGIN_WITHIN_MS = 250

/**
 * What stands on stdin. A shell's pipe and a file are read to their end. Programs often leave a socket there that they
 * never write to nor close: where a message is there already, silence on it means that there is nothing.
 */
export async function readPiped(isNeeded: boolean): Promise<string> {
  const { stdin } = process
  if (!isNeeded && fstatSync(0).isSocket() && !(await hasBegun())) {
    stdin.destroy()
    return ''
  }
  return (await readAll(stdin)).trim()
}

function hasBegun(): Promise<boolean> {
  const { stdin } = process
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), BEGIN_WITHIN_MS)
    const begin = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    stdin.once('readable', begin)
    stdin.once('end', begin)
  })
}
