import { afterEach } from 'vitest'
import { startAgent } from './start-agent.ts'
import type { AgentUnderTest, StartOptions } from './start-agent.ts'

/** Starts agents for the tests of a file, and closes them after each test. */
export function useAgents(defaults: StartOptions = {}): (options?: StartOptions) => AgentUnderTest {
  const running: AgentUnderTest[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.close()))
  })
  return (options = {}) => {
    const started = startAgent({ ...defaults, ...options })
    running.push(started)
    return started
  }
}
