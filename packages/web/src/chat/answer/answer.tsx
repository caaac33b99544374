import { memo } from 'react'
import { formatWhen } from '../../ui/text/format.ts'
import type { AnswerPart, AnswerRow } from '../../session/row.ts'
import { Media } from '../rows/media.tsx'
import { CopyButton } from './copy-button.tsx'
import { hasFooter } from './has-footer.ts'
import { Markdown } from '../../ui/text/markdown.tsx'
import { Reasoning } from './reasoning.tsx'
import { ToolCall } from './tool-call.tsx'

/** What the model said and did in one step. */
export const Answer = memo(function Answer({ row }: { readonly row: AnswerRow }) {
  const { parts, ending, at } = row
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  const lastIndex = parts.length - 1
  return (
    <article aria-label="Answer" className="group">
      <div className="space-y-2">
        {parts.map((part, index) => (
          <AnswerPiece
            // Parts are only ever added behind the others.
            key={index}
            part={part}
            isStreaming={ending === 'streaming' && index === lastIndex}
          />
        ))}
      </div>
      {ending === 'aborted' && <p className="mt-2 text-[0.8125rem] text-muted">Stopped.</p>}
      {ending === 'failed' && <p className="mt-2 text-[0.8125rem] text-danger">This answer failed.</p>}
      {hasFooter(row) && (
        <footer className="mt-0.5 -ml-2 flex h-7 items-center gap-2 text-xs text-muted opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100">
          <CopyButton text={text} />
          {at !== null && at > 0 && <time dateTime={new Date(at).toISOString()}>{formatWhen(at)}</time>}
        </footer>
      )}
    </article>
  )
})

interface AnswerPieceProps {
  readonly part: AnswerPart
  readonly isStreaming: boolean
}

function AnswerPiece({ part, isStreaming }: AnswerPieceProps) {
  switch (part.type) {
    case 'text':
      return <Markdown text={part.text} isStreaming={isStreaming} />
    case 'reasoning':
      return <Reasoning text={part.text} isStreaming={isStreaming} />
    case 'tool-call':
      return <ToolCall call={part} />
    case 'image':
    case 'file':
      return <Media media={[part]} />
    default:
      part satisfies never
      return null
  }
}
