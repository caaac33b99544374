import { z } from 'zod'

export const memoryHitSchema = z
  .object({
    /** The file it stands in. */
    document: z.string(),
    line: z.number(),
    kind: z.enum(['instruction', 'fact', 'note']),
    text: z.string(),
    /** False: marked as not from the user; it was written down while something else was read. */
    trusted: z.boolean(),
    updatedAt: z.number(),
    score: z.number(),
  })
  .meta({ id: 'MemoryHit' })

export type MemoryHit = z.infer<typeof memoryHitSchema>

export const memoryFileSchema = z.object({ name: z.string(), updatedAt: z.number() }).meta({ id: 'MemoryFile' })

export type MemoryFile = z.infer<typeof memoryFileSchema>

export const memoryTextSchema = z
  .object({
    name: z.string(),
    text: z.string(),
    /** Lines, counted from 1, that are marked as not from the user. */
    untrustedLines: z.array(z.number()),
  })
  .meta({ id: 'MemoryText' })

export type MemoryText = z.infer<typeof memoryTextSchema>

/** An old message found again, word for word. */
export const recalledSchema = z
  .object({ id: z.string(), seq: z.number(), at: z.number(), role: z.string(), text: z.string() })
  .meta({ id: 'Recalled' })

export type Recalled = z.infer<typeof recalledSchema>
