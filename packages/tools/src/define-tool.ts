import type { JsonObject } from '@longhaul/engine/advanced'
import { z } from 'zod'
import type { Permission, Tool, ToolContext, ToolOutcome } from './port/tool.ts'

export interface ToolDefinition<Input> {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly savesMemory?: boolean
  /** Without it every call is allowed. */
  readonly permit?: (input: Input) => Permission | Promise<Permission>
  readonly timeLimitMs?: (input: Input) => number
  readonly run: (input: Input, context: ToolContext) => Promise<ToolOutcome | string>
}

export const ALLOW: Permission = { verdict: 'allow' }

/** A tool whose arguments are checked before they are used: the schema the model is shown is the one that checks. */
export function defineTool<Input>(definition: ToolDefinition<Input>): Tool {
  const { name, description, input: schema, savesMemory, permit, timeLimitMs, run } = definition
  return {
    name,
    description,
    inputSchema: describeSchema(schema),
    ...(savesMemory === undefined ? {} : { savesMemory }),
    permit(input) {
      const read = schema.safeParse(input)
      // Wrong arguments are told to the model when it runs; nobody is asked about them.
      return read.success && permit !== undefined ? permit(read.data) : ALLOW
    },
    timeLimitMs(input) {
      const read = schema.safeParse(input)
      return read.success ? timeLimitMs?.(read.data) : undefined
    },
    async run(input, context) {
      const read = schema.safeParse(input)
      if (!read.success) return { output: `Wrong arguments: ${z.prettifyError(read.error)}`, isError: true }
      const outcome = await run(read.data, context)
      return typeof outcome === 'string' ? { output: outcome } : outcome
    },
  }
}

function describeSchema(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return JSON.parse(JSON.stringify(rest)) as JsonObject
}
