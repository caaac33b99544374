/** Character for character, with its own line breaks; scrolls by keyboard too. */
export function ExactText({ text }: { readonly text: string }) {
  return (
    <pre
      role="group"
      tabIndex={0}
      aria-label="Exact text"
      className="mt-2 max-h-[60dvh] overflow-auto rounded-xl border border-line bg-sunken p-3 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
    >
      {text}
    </pre>
  )
}
