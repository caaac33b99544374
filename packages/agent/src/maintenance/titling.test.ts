import { describe, expect, it } from 'vitest'
import { useAgents } from '../testing/use-agents.ts'
import { waitForEvent, waitForTitle, waitUntil } from '../testing/wait-for.ts'

const start = useAgents()

function scriptWith(title: string | { readonly fails: Error }) {
  return ({ tools = [] }: { tools?: readonly unknown[] }) => (tools.length === 0 ? title : 'With water.')
}

describe('the title of a session', () => {
  it.each([
    ['“Watering the beds.”\nAnd more', 'Watering the beds'],
    ['   ', 'How do I water the beds?'],
    [{ fails: new Error('down') }, 'How do I water the beds?'],
    ['long '.repeat(40), `${'long '.repeat(15)}long…`],
  ])('ONE-02 is made by the model after the first exchange: %j', async (said, title) => {
    const under = start({ script: scriptWith(said) })
    const { id } = await under.agent.createSession()
    await under.say(id, 'How do I water the beds?')
    expect(await waitForTitle(under.store, id)).toBe(title)
    expect((await under.store.sessions.get(id))?.preview).toBe('With water.')
  })

  it('never cuts a character in half', async () => {
    const under = start({ script: scriptWith('🌱'.repeat(60)) })
    const { id } = await under.agent.createSession()
    await under.say(id, 'Hi')
    expect((await waitForTitle(under.store, id)).isWellFormed()).toBe(true)
  })

  it('is asked for once, billed, and not where there is one', async () => {
    const under = start({ script: scriptWith('Beds') })
    const { id } = await under.agent.createSession()
    await under.say(id, 'One')
    await waitForTitle(under.store, id)
    expect(await waitForEvent(under.store, id, 'titled')).toMatchObject({ turnId: null, title: 'Beds' })
    await under.say(id, 'Two')
    expect((await under.entries(id)).filter(({ type }) => type === 'bill')).toMatchObject([{ work: 'title' }])
    const named = await under.agent.createSession({ title: 'Mine' })
    await under.say(named.id, 'One')
    expect((await under.store.sessions.get(named.id))?.title).toBe('Mine')
    expect((await under.entries(named.id)).filter(({ type }) => type === 'bill')).toEqual([])
  })

  it('can be changed, and stays so', async () => {
    const under = start({ script: scriptWith('Beds') })
    const { id } = await under.agent.createSession()
    await under.say(id, 'One')
    await waitForTitle(under.store, id)
    expect(await under.agent.request(id, 'settings', { title: 'My garden' })).toMatchObject({ ok: true })
    await under.say(id, 'Two')
    expect((await under.store.sessions.get(id))?.title).toBe('My garden')
  })

  it('is waited for by nobody: not by the reply, not by the next message, not by the end of the program', async () => {
    const under = start({ script: ({ tools = [] }) => (tools.length === 0 ? { hangs: true } : 'With water.') })
    const { id } = await under.agent.createSession()
    const events = await under.say(id, 'One')
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['response-complete', 'done'])
    expect((await under.say(id, 'Two')).map(({ type }) => type)).not.toContain('queued')
    expect(under.model.calls.filter(({ tools = [] }) => tools.length === 0)).toHaveLength(1)
    await under.agent.close()
    expect((await under.store.sessions.get(id))?.title).toBe('One')
  })

  it('leaves alone what the user has called it meanwhile', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const under = start({
      script: async ({ tools = [] }) => {
        if (tools.length > 0) return 'With water.'
        await opened
        return 'Beds'
      },
    })
    const { id } = await under.agent.createSession()
    await under.say(id, 'One')
    await under.agent.request(id, 'settings', { title: 'My garden' })
    open()
    await waitUntil(under.store, async () => (await under.entries(id)).some(({ type }) => type === 'bill'))
    await under.agent.close()
    expect((await under.store.sessions.get(id))?.title).toBe('My garden')
  })
})
