import type { Environment } from '@longhaul/engine/advanced'
import { createRandom } from './random.ts'
import { createText } from './text.ts'

const TOOL_NAMES = ['bash', 'read', 'write', 'edit', 'grep', 'find', 'fetch', 'list', 'recall', 'remember']

/** What a coding agent sends before the first message: about 8,000 tokens. */
export function createEnvironment(): Environment {
  const random = createRandom(-2)
  return {
    system: createText(random, 'prose', 8_000),
    files: ['AGENTS.md', 'MEMORY.md'].map((name) => ({ name, text: createText(random, 'prose', 6_000) })),
    tools: TOOL_NAMES.map((name) => ({
      name,
      description: createText(random, 'prose', 500),
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string', description: createText(random, 'prose', 100) } },
        required: ['path'],
      },
    })),
  }
}
