import { IconButton } from '../../ui/icon-button.tsx'
import type { ImageAttachment } from './read-image.ts'

export interface AttachedImagesProps {
  readonly images: readonly ImageAttachment[]
  readonly onRemove: (index: number) => void
}

export function AttachedImages({ images, onRemove }: AttachedImagesProps) {
  if (images.length === 0) return null
  return (
    <ul aria-label="Attached images" className="flex flex-wrap gap-2 px-3 pt-3">
      {images.map(({ image, mediaType }, index) => (
        <li key={index} className="relative">
          <img
            src={`data:${mediaType};base64,${image}`}
            alt={`Attached image ${index + 1}`}
            className="size-16 rounded-xl border border-line object-cover"
          />
          <IconButton
            icon="close"
            label={`Remove image ${index + 1}`}
            onClick={() => onRemove(index)}
            className="absolute -top-2 -right-2 size-6 rounded-full border border-line bg-raised"
          />
        </li>
      ))}
    </ul>
  )
}
