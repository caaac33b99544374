import { readFileSync } from 'node:fs'

export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root: then it runs as somebody else. null: as whoever runs the tests. */
export function findServerUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8').split('\n').map(readUser)
  const others = users.filter((user) => user.uid > 0 && Number.isInteger(user.gid))
  const user =
    others.find(({ name }) => name === 'postgres') ?? others.find(({ name }) => name === 'nobody') ?? others[0]
  if (user === undefined) throw new Error('PostgreSQL does not run as root, and this machine has no other user.')
  return { uid: user.uid, gid: user.gid }
}

function readUser(line: string): ServerUser & { readonly name: string } {
  const [name = '', , uid, gid] = line.split(':')
  return { name, uid: Number(uid), gid: Number(gid) }
}
