import { memo } from 'react'
import type { AskedRow } from '../../session/row.ts'
import { LongText } from './long-text.tsx'
import { Media } from './media.tsx'

/** What the user said, word for word. */
export const AskedMessage = memo(function AskedMessage({ row }: { readonly row: AskedRow }) {
  return (
    <article aria-label="You said" className="flex flex-col items-end gap-2">
      <Media media={row.media} />
      {row.text !== '' && (
        <div
          dir="auto"
          className="max-w-[85%] rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5 break-words whitespace-pre-wrap"
        >
          <LongText text={row.text} />
        </div>
      )}
    </article>
  )
})
