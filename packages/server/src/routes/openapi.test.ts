import { expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

/** The routes that other programs rely on, as CONTRACT has them. */
const ROUTES = `
get /api/health
get /api/ready
get /api/rights
get /api/audit
post /api/audit
delete /api/audit
get /api/audit/page
get /api/audit/sessions/{number}
get /api/models
get /api/presets
get /api/sessions
post /api/sessions
get /api/sessions/{id}
patch /api/sessions/{id}
delete /api/sessions/{id}
get /api/sessions/{id}/messages
post /api/sessions/{id}/messages
post /api/sessions/{id}/compact
post /api/sessions/{id}/undo
post /api/sessions/{id}/reset
post /api/sessions/{id}/cancel
get /api/sessions/{id}/pins
post /api/sessions/{id}/pins
delete /api/sessions/{id}/pins/{pinId}
get /api/sessions/{id}/recall
post /api/sessions/{id}/approvals/{callId}
get /api/sessions/{id}/context
get /api/sessions/{id}/context/{itemId}
get /api/sessions/{id}/status
get /api/sessions/{id}/requests
get /api/sessions/{id}/requests/{number}
get /api/sessions/{id}/compactions
get /api/sessions/{id}/marks
get /api/sessions/{id}/artifacts/{artifactId}
get /api/memory
get /api/memory/files
get /api/memory/files/{name}
get /api/sessions/{id}/export
post /api/sessions/import
post /api/sessions/sample
get /api/sessions/{id}/events
get /api/commands
post /api/sessions/{id}/commands
post /api/chat
get /api/chat/{id}/stream
get /metrics`
  .trim()
  .split('\n')

interface Operation {
  readonly summary?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly responses: Readonly<Record<string, unknown>>
}

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

async function read(): Promise<Document> {
  const app = await startApp()
  return (await (await app.request('GET', '/openapi.json')).json()) as Document
}

it('every route is in it, and no other', async () => {
  const { openapi, paths } = await read()
  expect(openapi).toBe('3.1.0')
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  expect(found.toSorted()).toEqual(ROUTES.toSorted())
})

it('says of each what it does, what it takes and how it fails', async () => {
  const { paths } = await read()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { summary, parameters = [], responses }] of Object.entries(methods)) {
      const name = `${method} ${path}`
      expect(summary, name).toBeTruthy()
      expect(Object.keys(responses), name).toContain('default')
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      expect(
        // Validators refuse a path of which a part may be missing.
        parameters
          .filter((parameter) => parameter.in === 'path' && parameter.required === true)
          .map(({ name: own }) => own),
        name,
      ).toEqual(wanted)
    }
  }
})

it('every reference in it leads somewhere, and every schema is used', async () => {
  const document = await read()
  const text = JSON.stringify(document)
  const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name))
  expect([...used].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted())
})
