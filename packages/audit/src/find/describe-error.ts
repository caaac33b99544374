const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  EISDIR: 'it is a folder',
}

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return ('code' in error ? WORDS[String(error.code)] : undefined) ?? error.message
}
