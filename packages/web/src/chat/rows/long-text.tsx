import { useState } from 'react'

const MOST_CHARS = 1_500

/** A pasted book must not make everything else scroll away. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false)
  if (text.length <= MOST_CHARS || isWhole) return text
  return (
    <>
      {text.slice(0, MOST_CHARS)}…{' '}
      <button
        type="button"
        onClick={() => setIsWhole(true)}
        className="font-medium text-accent underline-offset-4 hover:underline"
      >
        Show all {text.length.toLocaleString('en')} characters
      </button>
    </>
  )
}
