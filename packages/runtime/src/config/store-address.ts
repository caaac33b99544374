/** Where sessions are kept: a file of this machine, or a server. */
export const STORE_ADDRESS = /^(?:sqlite:.|postgres(?:ql)?:\/\/)/is

export const STORE_ADDRESS_WORDS = 'expected sqlite:FILE or postgres://…'

export function isPostgres(address: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(address)
}

/** null: not SQLite. */
export function readSqliteFile(address: string): string | null {
  return /^sqlite:(.+)$/is.exec(address)?.[1] ?? null
}
