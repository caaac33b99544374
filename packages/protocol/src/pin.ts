import { z } from 'zod'

export const pinSchema = z.object({ id: z.string(), text: z.string() }).meta({ id: 'Pin' })

export type Pin = z.infer<typeof pinSchema>

export const newPinSchema = z.strictObject({ text: z.string().min(1).max(100_000) }).meta({ id: 'NewPin' })
