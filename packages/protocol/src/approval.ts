import { z } from 'zod'

export const approvalSchema = z.strictObject({ allow: z.boolean() }).meta({ id: 'Approval' })

/** What the client that asks may do. */
export const rightsSchema = z
  .object({
    /** True for a page that was opened from the address that the server printed, and for a client with its token. */
    mayApprove: z.boolean(),
    /** `off`: this server does not audit; `not-opened`: it does, but this client lacks the right that allowing takes. */
    mayAudit: z.enum(['yes', 'not-opened', 'off']),
  })
  .meta({ id: 'Rights' })

export type Rights = z.infer<typeof rightsSchema>
