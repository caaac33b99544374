import type { App, ServerContext } from '../server-context.ts'

/** The API in words that generators and editors understand, made of the routes themselves. Add it after all of them. */
export function addOpenApiRoute(app: App, { version }: ServerContext): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'LONGHAUL_TOKEN of the server; not asked for where it listens on this machine alone.',
  })
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'Longhaul',
      version,
      description:
        'Conversations that go on for as long as their user wants. Costs are US dollars, times milliseconds since 1970.',
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    },
    security: [{ bearer: [] }, {}],
  })
}
