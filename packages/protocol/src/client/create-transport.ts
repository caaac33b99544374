import { ApiError } from './api-error.ts'

export interface ClientOptions {
  /** Where the server is; empty: where this page came from. */
  readonly baseUrl?: string
  readonly token?: string
  readonly fetch?: typeof fetch
}

/** How requests reach the server and answers come back. Everything rejects with an `ApiError`. */
export function createTransport({ baseUrl = '', token, fetch: fetchIt = fetch }: ClientOptions) {
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    let response: Response
    try {
      response = await fetchIt(baseUrl + path, { ...init, headers })
    } catch (error) {
      if (init.signal?.aborted === true) throw error
      throw ApiError.unreachable()
    }
    if (!response.ok) throw await ApiError.fromResponse(response)
    return response
  }

  async function get<Answer>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}) {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
    return readJson<Answer>(await send(search.size === 0 ? path : `${path}?${search.toString()}`))
  }

  async function sendJson(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = new Headers({ accept: 'application/json' })
    if (body !== undefined) headers.set('content-type', 'application/json')
    return send(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  }

  async function change<Answer>(method: string, path: string, body?: unknown) {
    return readJson<Answer>(await sendJson(method, path, body))
  }

  /** What a session does between turns: one that goes on for long leaves it stored. */
  async function ask<Answer>(method: string, path: string, body?: unknown) {
    const response = await sendJson(method, path, body)
    if (response.status === 202) throw await ApiError.stored(response)
    return readJson<Answer>(response)
  }

  return { send, get, change, ask }
}

async function readJson<Answer>(response: Response): Promise<Answer> {
  return (response.status === 204 ? undefined : await response.json()) as Answer
}
