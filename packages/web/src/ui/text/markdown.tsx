import { lazy } from 'react'
import { LazyPart } from '../lazy-part.tsx'
import type { MarkdownProps } from './markdown-renderer.tsx'

/** Heavy, so it comes in a file of its own; until it is there, the text stands as it was written. */
const MarkdownRenderer = lazy(async () => ({ default: (await import('./markdown-renderer.tsx')).MarkdownRenderer }))

export function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const plain = <p className="break-words whitespace-pre-wrap">{text}</p>
  return (
    <LazyPart waiting={plain} failed={plain}>
      <MarkdownRenderer text={text} isStreaming={isStreaming} />
    </LazyPart>
  )
}
