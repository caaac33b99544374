/** What a variable of the style sheet comes to in the theme of now, in a form that a canvas takes. */
export type ReadColour = (variable: string) => string

export interface WatchedColours {
  readonly colour: ReadColour
  readonly onChange: (listener: () => void) => void
  readonly stop: () => void
}

/** A canvas does not follow the theme by itself: colours are read when it is drawn, and it is told when to draw again. */
export function watchColours(holder: HTMLElement): WatchedColours {
  // Only the colour of an element comes out resolved; a variable comes out as it was written.
  const probe = document.createElement('span')
  probe.hidden = true
  holder.append(probe)
  const known = new Map<string, string>()
  const listeners = new Set<() => void>()
  const notify = (): void => {
    known.clear()
    for (const listener of listeners) listener()
  }
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', notify)
  const observer = new MutationObserver(notify)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] })
  return {
    colour: (variable) => {
      const found = known.get(variable)
      if (found !== undefined) return found
      probe.style.color = `var(${variable})`
      const { color } = getComputedStyle(probe)
      known.set(variable, color)
      return color
    },
    onChange: (listener) => listeners.add(listener),
    stop: () => {
      scheme.removeEventListener('change', notify)
      observer.disconnect()
      listeners.clear()
      probe.remove()
    },
  }
}
