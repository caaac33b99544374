/** Everything but the web app's own files, which are public. */
export function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/') || path === '/metrics' || path === '/openapi.json'
}
