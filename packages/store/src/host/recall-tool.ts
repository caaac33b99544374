/** How hosts offer `HostSession.recall` to their model. The input schema is plain JSON Schema. */
export const RECALL_TOOL = {
  name: 'recall',
  description:
    'Finds earlier messages of this conversation that are no longer in view, with their exact words. Use it when something that was said, read or decided before is missing.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'Words that stood in the message.' } },
    required: ['query'],
    additionalProperties: false,
  },
} as const
