/** A piece of code of one colour. */
export interface CodeToken {
  readonly content: string
  /** Of the style sheet; none: the colour of all text. */
  readonly className?: string
}

/** What highlight.js writes, and nothing else: spans with a class, text, and five escapes. */
const PIECES = /<span class="([^"]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|[^<&]+/g

const ESCAPES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** Markup of highlight.js as lines of tokens: a span that goes over several lines colours each of them. */
export function readColouredLines(markup: string): readonly (readonly CodeToken[])[] {
  const lines: CodeToken[][] = [[]]
  const open: string[] = []
  const add = (text: string): void => {
    for (const [index, content] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (content !== '') addToken(lines.at(-1) ?? [], content, open.at(-1))
    }
  }
  for (const [piece, className, escape] of markup.matchAll(PIECES)) {
    if (className !== undefined) open.push(className)
    else if (escape !== undefined) add(ESCAPES[escape] ?? '')
    else if (piece === '</span>') open.pop()
    else add(piece)
  }
  return lines
}

/** An escape does not begin a token of its own. */
function addToken(line: CodeToken[], content: string, className: string | undefined): void {
  const last = line.at(-1)
  if (last !== undefined && last.className === className)
    line[line.length - 1] = { ...last, content: last.content + content }
  else line.push(className === undefined ? { content } : { content, className })
}
