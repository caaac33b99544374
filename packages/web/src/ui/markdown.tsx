import { Suspense, lazy } from 'react'
import type { MarkdownProps } from './markdown-renderer.tsx'

/** Heavy, so it comes in a file of its own; until it is there, the text stands as it was written. */
const MarkdownRenderer = lazy(async () => ({ default: (await import('./markdown-renderer.tsx')).MarkdownRenderer }))

export function Markdown({ text, isStreaming = false }: MarkdownProps) {
  return (
    <Suspense fallback={<p className="break-words whitespace-pre-wrap">{text}</p>}>
      <MarkdownRenderer text={text} isStreaming={isStreaming} />
    </Suspense>
  )
}
