export const HOST = 'pi'
