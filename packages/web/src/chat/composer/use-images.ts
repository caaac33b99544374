import { useCallback, useState } from 'react'
import { describeError } from '../../api/describe-error.ts'
import { useSnackbar } from '../../ui/snackbar.tsx'
import { MOST_IMAGES, readImage } from './read-image.ts'
import type { ImageAttachment } from './read-image.ts'

export interface Images {
  readonly images: readonly ImageAttachment[]
  readonly add: (files: Iterable<File>) => void
  readonly remove: (index: number) => void
  readonly clear: () => void
}

/** The images of the next message. Those that cannot be sent are named, with the reason. */
export function useImages(): Images {
  const show = useSnackbar()
  const [images, setImages] = useState<readonly ImageAttachment[]>([])
  const add = useCallback(
    (files: Iterable<File>) => {
      for (const file of files) {
        readImage(file).then(
          (image) => setImages((before) => [...before, image].slice(0, MOST_IMAGES)),
          (error: unknown) => show({ text: describeError(error) }),
        )
      }
    },
    [show],
  )
  const remove = useCallback((index: number) => setImages((before) => before.toSpliced(index, 1)), [])
  const clear = useCallback(() => setImages([]), [])
  return { images, add, remove, clear }
}
