import { useState } from 'react'
import { ShowAll } from '../../ui/text/show-all.tsx'

const MOST_CHARS = 1_500

/** A pasted book must not make everything else scroll away. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false)
  if (text.length <= MOST_CHARS || isWhole) return text
  return (
    <>
      {text.slice(0, MOST_CHARS)}… <ShowAll chars={text.length} onShow={() => setIsWhole(true)} />
    </>
  )
}
