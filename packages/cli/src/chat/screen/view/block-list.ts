import { Container, Markdown, Spacer } from '@earendil-works/pi-tui'
import type { Component, MarkdownTheme } from '@earendil-works/pi-tui'
import { renderBlock } from '../../../cards/render-block.ts'
import type { Paint } from '../../../terminal/paint.ts'
import { cleanText } from '../../../terminal/text-width.ts'
import type { Block } from '../../conversation/block.ts'

/** What was said, one component a block; only what changed is made anew. */
export interface BlockList {
  readonly component: Component
  show(blocks: readonly Block[]): void
  /** Unfolds all tool calls, or folds them. */
  toggleFold(): void
}

interface Shown {
  block: Block
  readonly component: Component
}

export function createBlockList(paint: Paint, theme: MarkdownTheme): BlockList {
  const container = new Container()
  let shown: Shown[] = []
  let isUnfolded = false

  function create(block: Block): Component {
    if (block.kind === 'assistant') return new Markdown(cleanText(block.text), 0, 0, theme)
    let cached: { readonly width: number; readonly isUnfolded: boolean; readonly lines: string[] } | null = null
    return {
      render(width) {
        if (cached?.width !== width || cached.isUnfolded !== isUnfolded)
          cached = { width, isUnfolded, lines: [...renderBlock(block, { width, paint, isUnfolded })] }
        return cached.lines
      },
      invalidate: () => void (cached = null),
    }
  }

  /** A reply that grows keeps its component. */
  function update(old: Shown | undefined, block: Block): Shown {
    if (old?.block === block) return old
    if (old?.block.kind === 'assistant' && block.kind === 'assistant' && old.component instanceof Markdown) {
      old.component.setText(cleanText(block.text))
      old.block = block
      return old
    }
    return { block, component: create(block) }
  }

  return {
    component: container,
    show(blocks) {
      shown = blocks.map((block, index) => update(shown[index], block))
      container.clear()
      for (const [index, { block, component }] of shown.entries()) {
        if (!isSequel(shown[index - 1]?.block, block)) container.addChild(new Spacer(1))
        container.addChild(component)
      }
    },
    toggleFold: () => void (isUnfolded = !isUnfolded),
  }
}

/** Tool calls that follow each other belong together, and so do notices. */
function isSequel(before: Block | undefined, { kind }: Block): boolean {
  return before?.kind === kind && (kind === 'tool' || kind === 'notice')
}
