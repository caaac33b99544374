export const HOST = 'opencode'
