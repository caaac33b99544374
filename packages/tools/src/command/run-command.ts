import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import type { Tool } from '../port/tool.ts'
import { MAX_ENDING_MS } from './command-runner.ts'
import type { CommandRunner } from './command-runner.ts'

const DEFAULT_TIMEOUT_MS = 60_000

export function createRunCommandTool(runner: CommandRunner): Tool {
  return defineTool({
    name: 'run_command',
    description:
      'Runs a shell command in the workspace and answers its output and exit code. Processes that it leaves in the background are ended when it ends.',
    input: z.object({ command: z.string().min(1), timeoutMs: z.int().min(100).max(600_000).optional() }),
    async permit({ command }) {
      // Whoever is asked takes longer than the start; so nobody waits for it.
      runner.warm()
      return { verdict: 'ask', reason: `Run: ${command} – ${await runner.reach()}` }
    },
    // It ends itself, and tells what had come by then; the agent would only cut it off.
    timeLimitMs: ({ timeoutMs = DEFAULT_TIMEOUT_MS }) => timeoutMs + MAX_ENDING_MS,
    run: ({ command, timeoutMs = DEFAULT_TIMEOUT_MS }, { signal }) => runner.run(command, { timeoutMs, signal }),
  })
}
