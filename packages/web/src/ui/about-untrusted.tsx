import { joinClasses } from './join-classes.ts'

/** Explains the notes in memory that carry the mark "Not from the user". */
export function AboutUntrusted({ className }: { readonly className?: string }) {
  return (
    <p className={joinClasses('text-xs text-muted', className)}>
      Notes that begin with “Not from the user” were written down while pages, files or results of tools were read.
      Models get them as data, never as instructions. Delete those words in the file to make a note yours.
    </p>
  )
}
