import { styleText } from 'node:util'

/** Words in colour, or plain where colour is not wanted. */
export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly italic: (text: string) => string
  readonly underline: (text: string) => string
  readonly strike: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly blue: (text: string) => string
  readonly magenta: (text: string) => string
  readonly cyan: (text: string) => string
}

type Style = Parameters<typeof styleText>[0]

/** Bold, dim and their like go with the colours: whoever asks for none wants plain text. */
export function createPaint(hasColour: boolean): Paint {
  const style =
    (format: Style) =>
    (text: string): string =>
      hasColour ? styleText(format, text, { validateStream: false }) : text
  return {
    bold: style('bold'),
    dim: style('dim'),
    italic: style('italic'),
    underline: style('underline'),
    strike: style('strikethrough'),
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    blue: style('blue'),
    magenta: style('magenta'),
    cyan: style('cyan'),
  }
}
