/** The same function, remembering its answers for the texts it was asked about last: at most `maxChars` of them in all. */
export function rememberByText<T>(compute: (text: string) => T, maxChars: number): (text: string) => T {
  const known = new Map<string, T>()
  let chars = 0
  return (text) => {
    const answer = known.has(text) ? (known.get(text) as T) : compute(text)
    if (known.delete(text)) chars -= text.length
    known.set(text, answer)
    chars += text.length
    for (const oldest of known.keys()) {
      if (chars <= maxChars) break
      known.delete(oldest)
      chars -= oldest.length
    }
    return answer
  }
}
