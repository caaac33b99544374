import { Icon } from '../ui/icon.tsx'

/** Stands where the user would write, in a conversation that another program keeps. */
export function KeptNotice({ origin }: { readonly origin: string }) {
  return (
    <p className="flex gap-2.5 rounded-2xl border border-line bg-sunken px-4 py-3.5 text-sm text-muted">
      <Icon name="eye" className="mt-px size-4.5" />
      <span className="min-w-0 break-words">
        This conversation is kept by {origin}. Longhaul shows it; you write to it there.
      </span>
    </p>
  )
}
