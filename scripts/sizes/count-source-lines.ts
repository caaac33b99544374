/** The lines of a TypeScript file that are neither blank nor comment alone. */
export function countSourceLines(text: string): number {
  let lines = 0
  let isComment = false
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (isComment) isComment = !line.includes('*/')
    else if (line.startsWith('/*')) isComment = !line.includes('*/')
    else if (line !== '' && !line.startsWith('//')) lines += 1
  }
  return lines
}
