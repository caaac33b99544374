import { lazy, useState } from 'react'
import { LazyPart } from '../lazy-part.tsx'
import type { MarkdownProps } from './markdown-renderer.tsx'
import { ShowAll } from './show-all.tsx'

/** Heavy, so it comes in a file of its own; until it is there, the text stands as it was written. */
const MarkdownRenderer = lazy(async () => ({ default: (await import('./markdown-renderer.tsx')).MarkdownRenderer }))

/** What a browser lays out without a pause: more than any model writes at once, less than a pasted log. */
const MOST_CHARS = 100_000

export function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? text : text.slice(0, MOST_CHARS)
  const plain = <p className="break-words whitespace-pre-wrap">{shown}</p>
  return (
    <>
      <LazyPart waiting={plain} failed={plain}>
        <MarkdownRenderer text={shown} isStreaming={isStreaming} />
      </LazyPart>
      {shown.length < text.length && <ShowAll chars={text.length} onShow={() => setIsWhole(true)} />}
    </>
  )
}
