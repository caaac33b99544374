import { Foldable } from './foldable.tsx'
import { Markdown } from '../../ui/text/markdown.tsx'

export interface ReasoningProps {
  readonly text: string
  readonly isStreaming: boolean
}

export function Reasoning({ text, isStreaming }: ReasoningProps) {
  return (
    <Foldable line={<span>{isStreaming ? 'Thinking…' : 'Thoughts'}</span>}>
      {() => (
        <div className="text-[0.875rem] text-muted">
          <Markdown text={text} isStreaming={isStreaming} />
        </div>
      )}
    </Foldable>
  )
}
