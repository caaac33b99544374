import { Streamdown } from 'streamdown'
import type { MarkdownProps } from './markdown.tsx'

export function MarkdownRenderer({ text, isStreaming = false }: MarkdownProps) {
  return (
    <Streamdown
      className="markdown"
      mode={isStreaming ? 'streaming' : 'static'}
      isAnimating={isStreaming}
      controls={{ table: false, code: { copy: true, download: false } }}
      linkSafety={{ enabled: false }}
      codeBlockMaxHeight={480}
    >
      {text}
    </Streamdown>
  )
}
