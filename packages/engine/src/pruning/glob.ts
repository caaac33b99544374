import type { PruningPolicy } from '../policy/policy.ts'

/** Deny wins. An empty allow list allows every tool, as a missing one does. */
export function isToolSelected(toolName: string, { allow, deny }: PruningPolicy['tools']): boolean {
  if (deny.some((pattern) => matchesGlob(pattern, toolName))) return false
  return allow.length === 0 || allow.some((pattern) => matchesGlob(pattern, toolName))
}

/** `*` stands for any run of characters; case does not matter. Linear: no pattern can make it slow. */
export function matchesGlob(pattern: string, name: string): boolean {
  if (pattern === '*') return true
  const wanted = name.trim().toLowerCase()
  const [start = '', ...rest] = pattern.trim().toLowerCase().split('*')
  const end = rest.pop()
  if (end === undefined) return wanted === start
  if (wanted.length < start.length + end.length || !wanted.startsWith(start) || !wanted.endsWith(end)) return false
  let from = start.length
  const to = wanted.length - end.length
  for (const middle of rest) {
    const found = wanted.indexOf(middle, from)
    if (found === -1 || found + middle.length > to) return false
    from = found + middle.length
  }
  return true
}
