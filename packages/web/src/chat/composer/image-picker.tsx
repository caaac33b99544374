import { useRef } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { ACCEPTED_IMAGES } from './read-image.ts'

/** Opens the system's own dialog for files. */
export function ImagePicker({ onPick }: { readonly onPick: (files: Iterable<File>) => void }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept={ACCEPTED_IMAGES}
        multiple
        hidden
        onChange={(event) => {
          onPick(event.target.files ?? [])
          event.target.value = ''
        }}
      />
      <IconButton icon="attach" label="Attach images" onClick={() => picker.current?.click()} />
    </>
  )
}
