/** The name of the program that keeps a conversation. */
export function OriginBadge({ origin }: { readonly origin: string }) {
  return (
    <span
      title={`Kept by ${origin}`}
      className="max-w-24 shrink-0 truncate rounded-full border border-line-strong px-2 text-[0.6875rem] leading-[1.125rem] font-medium text-muted"
    >
      <span className="sr-only">kept by </span>
      {origin}
    </span>
  )
}
