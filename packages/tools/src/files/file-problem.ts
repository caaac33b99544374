const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or folder',
  ENOTDIR: 'Not a folder',
  EISDIR: 'A folder, not a file',
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  EROFS: 'The disk is read-only',
  ENOSPC: 'The disk is full',
  EMFILE: 'Too many files are open',
  ENAMETOOLONG: 'The name is too long',
  EEXIST: 'Something else was put there meanwhile',
  ELOOP: 'A link was put there meanwhile',
  ENXIO: 'Not a file that can be opened',
  EAGAIN: 'It gives nothing to read at the moment',
}

/** Whatever the file system says goes to the model in plain words, with the path as it was asked for: not the machine's own. */
export async function tellFileProblems<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const words = WORDS[code]
    throw words === undefined ? error : new Error(`${words}: ${path}`, { cause: error })
  }
}
