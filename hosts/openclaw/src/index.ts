export const HOST = 'openclaw'
