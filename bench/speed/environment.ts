import type { ContextOptions } from '@longhaul/engine'
import { createRandom } from './random.ts'
import { createText } from './text.ts'

const TOOL_NAMES = ['bash', 'read', 'write', 'edit', 'grep', 'find', 'fetch', 'list', 'recall', 'remember']

/** The system text and the tools of a coding agent: about 8,000 tokens. */
export function createEnvironment(): Required<Pick<ContextOptions, 'system' | 'tools'>> {
  const random = createRandom(-2)
  return {
    system: createText(random, 'prose', 20_000),
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
