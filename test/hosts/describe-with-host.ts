import { describe } from 'vitest'
import { leaveOut } from '../left-out.ts'

/** Declares tests that need a host that is installed here. Where it cannot be, they are left out with the reason. */
export function describeWithHost(
  title: string,
  install: () => Promise<string>,
  body: (installed: string) => void,
): void {
  describe(title, async () => {
    const found = await install().then(
      (installed) => ({ installed }),
      (error: unknown) => ({ reason: String(error) }),
    )
    if ('reason' in found) leaveOut('needs an installed host', found.reason)
    else body(found.installed)
  })
}
