export const HOST = 'openai-agents'
