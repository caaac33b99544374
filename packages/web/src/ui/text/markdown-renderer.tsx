import { Streamdown } from 'streamdown'

export interface MarkdownProps {
  readonly text: string
  readonly isStreaming?: boolean
}

export function MarkdownRenderer({ text, isStreaming = false }: MarkdownProps) {
  return (
    <Streamdown
      className="markdown"
      mode={isStreaming ? 'streaming' : 'static'}
      isAnimating={isStreaming}
      controls={{ table: false, code: { copy: true, download: false } }}
      linkSafety={{ enabled: false }}
      lineNumbers={false}
      // A box that scrolls inside a page that scrolls can be reached by the mouse only.
      codeBlockMaxHeight={0}
      tableMaxHeight={0}
    >
      {text}
    </Streamdown>
  )
}
