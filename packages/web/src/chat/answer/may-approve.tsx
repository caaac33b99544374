import { useEffect } from 'react'
import { useClient } from '../../api/client-context.tsx'
import { useLoaded } from '../../api/use-loaded.ts'

/** False once the server said that this page has no right to allow tool calls. Asks again when the person comes back to it. */
export function useMayApprove(): boolean {
  const client = useClient()
  const { value, reload } = useLoaded(() => client.getRights(), [client])
  useEffect(() => {
    window.addEventListener('focus', reload)
    return () => window.removeEventListener('focus', reload)
  }, [reload])
  return value?.mayApprove !== false
}

/** Tells a person whose page lacks the right how to get it. */
export function HowToApprove() {
  return (
    <p role="note" className="mt-2 text-[0.8125rem]">
      This page cannot allow it, because it was not opened from the address that Longhaul printed. In this browser, open
      the newest address that Longhaul printed where it was started, then come back here. You can deny it as it is.
    </p>
  )
}
