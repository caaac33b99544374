import { useState } from 'react'
import type { CallResult } from '../../session/row.ts'
import { Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/text/plain-text.tsx'
import { Media } from '../rows/media.tsx'
import { ArtifactDialog } from './artifact-dialog.tsx'

export function ToolOutput({ result }: { readonly result: CallResult }) {
  const { output, media, isTruncated, artifactId } = result
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section>
      <div className="mb-1 flex min-h-8 items-center gap-3">
        <p className="text-xs font-medium text-muted">Output{isTruncated && ', shortened'}</p>
        {artifactId !== null && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            Open in full
          </Button>
        )}
      </div>
      {output !== '' && <PlainText label="Output" text={output} className="max-h-96" />}
      {output === '' && media.length === 0 && <p className="text-xs text-muted">Nothing.</p>}
      <Media media={media} />
      {artifactId !== null && isOpen && <ArtifactDialog artifactId={artifactId} onClose={() => setIsOpen(false)} />}
    </section>
  )
}
