const KEY = 'token'

/** The token of this tab; gone when it is closed. */
export function readToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token)
}
