import type { MediaPart } from '../../session/row.ts'

/** Images as pictures, other files by their name. */
export function Media({ media }: { readonly media: readonly MediaPart[] }) {
  if (media.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2">
      {media.map((part, index) => (
        <li key={index}>
          {part.type === 'image' ? (
            <img
              src={addressOf(part)}
              alt={`Attachment ${index + 1}`}
              className="max-h-60 max-w-full rounded-xl border border-line object-contain"
            />
          ) : (
            <span className="rounded-lg bg-sunken px-2.5 py-1.5 text-[0.8125rem]">
              {part.filename ?? part.mediaType}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function addressOf({ image, mediaType = 'image/png' }: Extract<MediaPart, { type: 'image' }>): string {
  return /^(?:data|https?):/.test(image) ? image : `data:${mediaType};base64,${image}`
}
