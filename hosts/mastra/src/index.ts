export const HOST = 'mastra'
