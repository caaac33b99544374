import type { Message } from '../transcript/message.ts'

/**
 * Whether a message brings text into the conversation that neither its user typed nor its model wrote: the result of a
 * tool, or a file or picture that the user attached. A receipt of Longhaul's own brings nothing.
 */
export function bringsForeignText({ role, parts }: Message): boolean {
  return parts.some((part) => {
    if (part.type === 'tool-result') return part.isReceipt !== true
    // What stands in a tool message without being a result was brought in by a tool as well.
    return part.type === 'image' || part.type === 'file' || role === 'tool'
  })
}
