import { z } from 'zod'
import { recalledSchema, memoryHitSchema } from './memory.ts'
import { contextReportSchema } from './context.ts'
import { sessionSchema, sessionStatusSchema } from './session.ts'

export const commandLineSchema = z.strictObject({ line: z.string().min(2).max(20_000) }).meta({ id: 'CommandLine' })

export const commandHelpSchema = z.object({ usage: z.string(), summary: z.string() }).meta({ id: 'CommandHelp' })

export type CommandHelp = z.infer<typeof commandHelpSchema>

/** What a slash command found or did. */
export const commandResultSchema = z
  .discriminatedUnion('command', [
    z.object({ command: z.literal('status'), status: sessionStatusSchema }),
    z.object({
      command: z.literal('context'),
      form: z.enum(['list', 'detail', 'json']),
      report: contextReportSchema,
    }),
    z.object({
      command: z.literal('compact'),
      tokensBefore: z.number(),
      tokensAfter: z.number(),
      score: z.number().nullable(),
    }),
    z.object({ command: z.literal('undo'), undone: z.array(z.string()), tokens: z.number().nullable() }),
    z.object({ command: z.literal('new'), session: sessionSchema }),
    z.object({ command: z.literal('reset') }),
    z.object({
      command: z.literal('model'),
      model: z.string(),
      choices: z.array(z.string()),
      didChange: z.boolean(),
    }),
    z.object({
      command: z.literal('preset'),
      preset: z.string().nullable(),
      choices: z.array(z.string()),
      didChange: z.boolean(),
    }),
    z.object({ command: z.literal('pin'), id: z.string(), text: z.string() }),
    z.object({
      command: z.literal('pins'),
      pins: z.array(z.object({ number: z.number(), id: z.string(), text: z.string() })),
    }),
    z.object({ command: z.literal('unpin'), number: z.number(), text: z.string() }),
    z.object({ command: z.literal('recall'), query: z.string(), found: z.array(recalledSchema) }),
    z.object({
      command: z.literal('memory'),
      query: z.string(),
      files: z.array(z.string()),
      hits: z.array(memoryHitSchema),
    }),
    z.object({ command: z.literal('help'), commands: z.array(commandHelpSchema) }),
  ])
  .meta({ id: 'CommandResult' })

export type CommandResult = z.infer<typeof commandResultSchema>
