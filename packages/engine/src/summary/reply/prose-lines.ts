/** The lines of a text that are its author's own: without code blocks, inline code, block quotes and quoted words. */
export function ownLines(text: string): readonly string[] {
  return withoutCode(text)
    .split('\n')
    .filter((line) => !/^\s*>/.test(line))
    .map((line) =>
      line
        .replace(/`[^`]*`/g, '`…`')
        .replace(QUOTED, '“…”')
        .trim(),
    )
    .filter((line) => line !== '')
}

export function withoutCode(text: string): string {
  return text.replace(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1.*$|$(?![\s\S]))/gm, '')
}

/** A bullet, number, heading or table row: a line of a list reports, whatever it says. */
export function isListed(line: string): boolean {
  return /^(?:[-*+•·–—‣◦]\s|\d{1,3}[.)、]\s?|[a-z][.)]\s|#{1,6}\s|\||\[[ x]\])/iu.test(line)
}

/** A line that says what the next ones are: a heading, a bold title, anything that ends in a colon. */
export function isTitle(line: string): boolean {
  return /^#{1,6}\s/.test(line) || /[:：]\**$/.test(line) || /^\*\*[^*]+\*\*$/.test(line)
}

/** A quote holds no second opening mark: looking for an end from each of many marks would take the square of the length. */
const QUOTED = /"[^"\n]*"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』|‘[^‘’\n]*’(?!\p{L})/gu
