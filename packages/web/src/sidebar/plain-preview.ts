/** The beginning of a message without the marks of Markdown, which mean nothing in one small line. */
export function plainPreview(text: string): string {
  return text
    .replaceAll(/`+|\*\*/g, '')
    .replaceAll(/^\s*#{1,6}\s|(?<=^|:\s)(?:>\s)+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
