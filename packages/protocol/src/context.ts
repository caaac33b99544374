import { z } from 'zod'

export const contextItemSchema = z.object({
  id: z.string(),
  kind: z.enum([
    'system',
    'file',
    'tools',
    'summary',
    'pin',
    'recalled',
    'user',
    'assistant',
    'tool-call',
    'tool-result',
  ]),
  label: z.string(),
  tokens: z.number(),
  chars: z.number(),
  state: z.enum(['verbatim', 'soft-trimmed', 'cleared', 'summarised', 'left-out']),
})

export type ContextItem = z.infer<typeof contextItemSchema>

/** What the next request would hold, item by item. */
export const contextReportSchema = z
  .object({
    model: z.string(),
    window: z.number().nullable(),
    used: z.number().nullable(),
    source: z.enum(['reported', 'estimated', 'unknown']),
    threshold: z.number().nullable(),
    items: z.array(contextItemSchema),
  })
  .meta({ id: 'Context' })

export type ContextReport = z.infer<typeof contextReportSchema>

export const contextTextSchema = z
  .object({ id: z.string(), text: z.string(), state: contextItemSchema.shape.state })
  .meta({ id: 'ContextText' })

export type ContextText = z.infer<typeof contextTextSchema>
