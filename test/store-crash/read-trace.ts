/** What a traced process did that matters here, in order. */
export type Call =
  | { readonly type: 'write' | 'sync'; readonly path: string }
  /** It told its parent that something is stored. */
  | { readonly type: 'promise' }

/** Reads what `strace -f -y` wrote. Calls that another thread interrupted stand where they ended. */
export function readTrace(trace: string): readonly Call[] {
  return trace.split('\n').flatMap((line): readonly Call[] => {
    const match = /^\d+ +(?:<\.\.\. )?(\w+)(?: resumed>|\(\d+<([^>]*)>)(.*?) = \d+$/.exec(line)
    if (match === null) return []
    const [, name, path = '', rest = ''] = match
    if (name === 'fsync' || name === 'fdatasync') return [{ type: 'sync', path }]
    if (name === 'pwrite64') return [{ type: 'write', path }]
    return rest.includes(String.raw`{\"type\":\"appended\"`) || rest.includes(String.raw`{\"type\":\"put\"`)
      ? [{ type: 'promise' }]
      : []
  })
}
