import type { EditorTheme, MarkdownTheme } from '@earendil-works/pi-tui'
import type { Paint } from '../../../terminal/paint.ts'

export function createMarkdownTheme(paint: Paint): MarkdownTheme {
  return {
    heading: (text) => paint.bold(paint.cyan(text)),
    link: paint.underline,
    linkUrl: paint.dim,
    code: paint.yellow,
    codeBlock: (text) => text,
    codeBlockBorder: paint.dim,
    quote: paint.italic,
    quoteBorder: paint.dim,
    hr: paint.dim,
    listBullet: paint.cyan,
    bold: paint.bold,
    italic: paint.italic,
    strikethrough: paint.strike,
    underline: paint.underline,
  }
}

export function createEditorTheme(paint: Paint): EditorTheme {
  return {
    borderColor: paint.dim,
    selectList: {
      selectedPrefix: paint.cyan,
      selectedText: paint.bold,
      description: paint.dim,
      scrollInfo: paint.dim,
      noMatch: paint.dim,
    },
  }
}
