import { createInMemoryStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useAgents } from '../testing/use-agents.ts'
import { waitUntil } from '../testing/wait-for.ts'

const start = useAgents()

/** A store on which others write all the time: whoever listens is told to look again and again. */
function createNoisyStore(): { readonly quiet: Store; readonly noisy: Store } {
  const quiet = createInMemoryStore()
  const listeners = new Set<Parameters<Store['watch']>[0]>()
  const ring = () => listeners.forEach((listener) => listener({ sessionId: null, what: 'any' }))
  const timer = setInterval(ring, 2)
  onTestFinished(() => clearInterval(timer))
  const watch: Store['watch'] = (listener) => {
    listeners.add(listener)
    const stop = quiet.watch(listener)
    return () => {
      listeners.delete(listener)
      stop()
    }
  }
  return { quiet, noisy: { ...quiet, watch } }
}

describe('a session nobody writes to', () => {
  it('is given back, however much goes on elsewhere', async () => {
    const { quiet, noisy } = createNoisyStore()
    const under = start({ store: noisy, idleMs: 40 })
    const { id } = await under.agent.createSession({ title: 'named' })
    await under.say(id, 'Hello')
    await waitUntil(quiet, async () => (await quiet.leases.getOwner(id)) === null)
    expect(await quiet.leases.getOwner(id)).toBeNull()
  })

  it('looking at it in vain does not keep it', async () => {
    const under = start({ idleMs: 40 })
    const { id } = await under.agent.createSession({ title: 'named' })
    await under.say(id, 'Hello')
    const timer = setInterval(() => void under.agent.resume(id), 5)
    onTestFinished(() => clearInterval(timer))
    const released: string[] = []
    under.store.watch(({ what }) => void released.push(what))
    await waitUntil(under.store, async () => (await under.store.leases.getOwner(id)) === null)
    expect(released).toContain('inbox')
  })
})
