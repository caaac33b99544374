import { useState } from 'react'
import type { CallResult } from '../../session/row.ts'
import { Button } from '../../ui/button.tsx'
import { Media } from '../media.tsx'
import { ArtifactDialog } from './artifact-dialog.tsx'

export function ToolOutput({ result }: { readonly result: CallResult }) {
  const { output, media, isTruncated, artifactId } = result
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section>
      <div className="mb-1 flex min-h-8 items-center gap-3">
        <h4 className="text-xs font-medium text-muted">Output{isTruncated && ', shortened'}</h4>
        {artifactId !== null && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            Open in full
          </Button>
        )}
      </div>
      {output !== '' && (
        <pre className="max-h-96 overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap">
          {output}
        </pre>
      )}
      {output === '' && media.length === 0 && <p className="text-xs text-muted">Nothing.</p>}
      <Media media={media} />
      {artifactId !== null && isOpen && <ArtifactDialog artifactId={artifactId} onClose={() => setIsOpen(false)} />}
    </section>
  )
}
