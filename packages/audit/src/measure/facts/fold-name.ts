/** Spellings of one name: `load_keys`, `loadKeys` and `load-keys` are equal then. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}
