/** The model is at it, and nothing of its answer is there yet. */
export function WorkingRow() {
  return (
    <div aria-hidden="true" className="flex h-7 items-center gap-1.5">
      <span className="size-1.5 animate-pulse rounded-full bg-accent" />
      <span className="size-1.5 animate-pulse rounded-full bg-accent [animation-delay:200ms]" />
      <span className="size-1.5 animate-pulse rounded-full bg-accent [animation-delay:400ms]" />
    </div>
  )
}
