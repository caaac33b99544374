import { z } from 'zod'
import { sessionSchema } from './session.ts'

/** What became of a transcript. */
export const importedSchema = z
  .object({
    session: sessionSchema,
    /** The rest, where one text held several. */
    others: z.array(sessionSchema),
    /** Sessions that were there already: they are stored once more, under a new id, beside what they are copies of. */
    copies: z.array(z.object({ id: z.string(), of: z.string() })),
    /** Lines that could not be read; everything else is stored. */
    problems: z.array(z.object({ line: z.number(), reason: z.string() })),
  })
  .meta({ id: 'Imported' })

export type Imported = z.infer<typeof importedSchema>
