import { describeStatus } from '@longhaul/runtime'
import type { Runtime, SessionStatus } from '@longhaul/runtime'

/** Reads the status anew when asked; while it reads, further wishes come to one more. */
export function createStatusReader(
  { agent }: Runtime,
  sessionId: () => string,
  show: (status: SessionStatus) => void,
): { refresh(): void } {
  let isReading = false
  let isWanted = false

  async function read(): Promise<void> {
    if (isReading) return
    isReading = true
    while (isWanted) {
      isWanted = false
      const id = sessionId()
      const session = await agent.inspect(id)
      if (id === sessionId()) show(describeStatus(session))
    }
    isReading = false
  }

  return {
    refresh() {
      isWanted = true
      // What cannot be read now is read after the next event.
      void read().catch(() => void (isReading = false))
    },
  }
}
