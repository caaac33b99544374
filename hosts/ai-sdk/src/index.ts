export const HOST = 'ai-sdk'
