import { PRESETS } from '@longhaul/engine/advanced'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentOptions } from '../port/agent-options.ts'
import { startAgent } from '../testing/start-agent.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'

const running: AgentUnderTest[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})
function start(options: StartOptions): AgentUnderTest {
  const started = startAgent(options)
  running.push(started)
  return started
}

describe('the surroundings of a session', () => {
  it.each([
    ['the policy', 200_000, 20_000],
    ['a small window', 16_000, 8_000],
  ])('OPEN-05 LH-04 cuts injected files to what %s allows, and marks it', async (_limit, windowTokens, chars) => {
    const surroundingsFor = async () => ({
      system: 'You help.',
      files: [{ name: 'AGENTS.md', text: 'x'.repeat(30_000) }],
    })
    const under = start({ windowTokens, surroundingsFor })
    const { id } = await under.agent.createSession({ title: 'named' })
    const session = await under.agent.inspect(id)
    const marker = `[... AGENTS.md truncated, showing first ${chars} characters of 30000 total ...]`
    expect(session.context.environment.files).toStrictEqual([
      { name: 'AGENTS.md', text: `${'x'.repeat(chars)}\n\n${marker}` },
    ])
  })

  it('gives tools by the policy', async () => {
    const seen: string[] = []
    const toolsFor: AgentOptions['toolsFor'] = async (_settings, { workspaceAccess }) => {
      seen.push(workspaceAccess)
      return []
    }
    const under = start({ toolsFor })
    const { id } = await under.agent.createSession({ title: 'named', policy: { workspaceAccess: 'ro' } })
    await under.agent.inspect(id)
    expect(seen).toStrictEqual(['ro'])
  })
})

describe('the policy of a session', () => {
  it('goes on without an agent that the configuration does not have any more', async () => {
    const known = new Set<string | null>([null, 'gardener'])
    const policyFor: AgentOptions['policyFor'] = ({ agent }) => {
      if (!known.has(agent)) throw new Error(`no agent ${agent}`)
      return agent === null ? PRESETS.longhaul : PRESETS.micro
    }
    const under = start({ policyFor })
    const { id } = await under.agent.createSession({ title: 'named', agent: 'gardener' })
    known.delete('gardener')
    expect((await under.agent.inspect(id)).context.policy).toBe(PRESETS.longhaul)
    expect((await under.say(id, 'Still there?')).at(-1)).toMatchObject({ type: 'done' })
    await expect(under.agent.createSession({ agent: 'gardener' })).rejects.toMatchObject({ code: 'invalid-request' })
  })
})
