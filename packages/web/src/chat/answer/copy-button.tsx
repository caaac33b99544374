import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'

const SHOWN_MS = 2_000

export function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), SHOWN_MS)
  }
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      label={isCopied ? 'Copied' : 'Copy the answer'}
      className="size-7"
      onClick={() => void copy().catch(() => undefined)}
    />
  )
}
