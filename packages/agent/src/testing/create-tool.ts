import type { Tool } from '@longhaul/tools/port'

/** A tool that is allowed and says `ok`, unless something else is said. */
export function createTool(name: string, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `A tool called ${name}.`,
    inputSchema: { type: 'object' },
    permit: () => ({ verdict: 'allow' }),
    run: async () => ({ output: 'ok' }),
    ...more,
  }
}
