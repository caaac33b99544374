import { Suspense, lazy } from 'react'

/** Heavy, so it comes in a file of its own; until it is there, the text stands as it was written. */
const MarkdownRenderer = lazy(async () => ({ default: (await import('./markdown-renderer.tsx')).MarkdownRenderer }))

export interface MarkdownProps {
  readonly text: string
  readonly isStreaming?: boolean
}

export function Markdown({ text, isStreaming = false }: MarkdownProps) {
  return (
    <Suspense fallback={<p className="break-words whitespace-pre-wrap">{text}</p>}>
      <MarkdownRenderer text={text} isStreaming={isStreaming} />
    </Suspense>
  )
}
