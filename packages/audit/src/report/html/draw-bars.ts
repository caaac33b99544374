import { escapeMarkup } from './markup.ts'

export interface Bar {
  readonly label: string
  /** The values as words. */
  readonly words: string
  readonly parts: readonly { readonly value: number; readonly color: string; readonly title: string }[]
}

const HEIGHT = 14

/** A bar a line, its parts side by side, all by one scale. Labels stand above their bars, so that it fits a phone. */
export function drawBars(bars: readonly Bar[]): string {
  const top = Math.max(1e-9, ...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)))
  return `<div class="bars">${bars.map((bar) => drawBar(bar, top)).join('')}</div>`
}

function drawBar({ label, words, parts }: Bar, top: number): string {
  let from = 0
  const drawn = parts.map(({ value, color, title }) => {
    const width = (value / top) * 100
    const markup = `<rect x="${from.toFixed(2)}%" width="${width.toFixed(2)}%" height="${HEIGHT}" fill="${color}"><title>${escapeMarkup(title)}</title></rect>`
    from += width
    return markup
  })
  return `<div><p>${escapeMarkup(label)}<span>${escapeMarkup(words)}</span></p><svg class="plot" height="${HEIGHT}" role="img" aria-label="${escapeMarkup(`${label}: ${words}`)}"><rect width="100%" height="${HEIGHT}" fill="var(--line)" opacity="0.5"/>${drawn.join('')}</svg></div>`
}
