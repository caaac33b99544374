interface ShowAllProps {
  readonly chars: number
  readonly onShow: () => void
}

/** Stands behind the beginning of a text that is too long to be drawn unasked. */
export function ShowAll({ chars, onShow }: ShowAllProps) {
  return (
    <button type="button" onClick={onShow} className="font-medium text-accent underline-offset-4 hover:underline">
      Show all {chars.toLocaleString('en')} characters
    </button>
  )
}
