import { z } from 'zod'

export interface List<Item> {
  readonly items: readonly Item[]
  /** Pass it on for the next page; null: there is none. */
  readonly next: string | null
}

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().nullable() })
}

/** Given twice, the last counts: nobody is refused for a limit. */
export const limitSchema = z
  .union([z.string(), z.array(z.string()).transform((all) => all.at(-1) ?? '')])
  .optional()
  .meta({ description: 'Brought into its bounds' })

/** A limit that is too small, too large or no number is brought into its bounds, never refused. */
export function clampLimit(limit: string | undefined, { standard, most }: { standard: number; most: number }): number {
  const wanted = Math.trunc(Number(limit ?? standard))
  return Number.isNaN(wanted) ? standard : Math.min(Math.max(wanted, 1), most)
}

export const pageQuerySchema = z.object({
  after: z.string().max(500).optional(),
  before: z.string().max(500).optional(),
  limit: limitSchema,
})
