import { Icon } from '../ui/icon.tsx'

/** What went wrong, in the server's own words: they say what to do next. */
export function Problem({ error }: { readonly error: Error }) {
  return (
    <p role="alert" className="flex gap-2 rounded-xl bg-danger-soft px-3 py-2 text-[0.8125rem] text-danger">
      <Icon name="warning" className="mt-0.5 size-4" />
      <span className="min-w-0 break-words">{error.message}</span>
    </p>
  )
}
