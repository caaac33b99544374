export const HOST = 'langchain'
