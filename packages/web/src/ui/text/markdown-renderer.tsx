import { Streamdown } from 'streamdown'
import { CODE_PLUGIN } from './code/code-plugin.ts'

export interface MarkdownProps {
  readonly text: string
  readonly isStreaming?: boolean
}

/** Made once: streamdown draws everything anew for another object. */
const PLUGINS = { code: CODE_PLUGIN }

export function MarkdownRenderer({ text, isStreaming = false }: MarkdownProps) {
  return (
    <Streamdown
      className="markdown"
      mode={isStreaming ? 'streaming' : 'static'}
      isAnimating={isStreaming}
      plugins={PLUGINS}
      dir="auto"
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
