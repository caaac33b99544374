export interface AnnouncerProps {
  readonly isBusy: boolean
  readonly isAsking: boolean
}

/** What a screen reader says while an answer streams: that it does, and that it is there; not every word. */
export function Announcer({ isBusy, isAsking }: AnnouncerProps) {
  return (
    <p aria-live="polite" className="sr-only">
      {isAsking
        ? 'A tool waits for your permission.'
        : isBusy
          ? 'The answer is being written.'
          : 'Ready for your message.'}
    </p>
  )
}
