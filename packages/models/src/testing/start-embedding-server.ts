import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { countMeanings } from '../scripted/create-scripted-embedding.ts'
import { recordsIn, stringIn, textIn } from './wire/read-json.ts'
import type { JsonRecord } from './wire/read-json.ts'

export interface EmbeddingRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonRecord
  readonly texts: readonly string[]
}

export interface EmbeddingServerOptions {
  /** Words of one group mean the same. */
  readonly synonyms?: readonly (readonly string[])[]
  /** What is answered instead of vectors; null: vectors. */
  readonly refuse?: (request: EmbeddingRequest) => EmbeddingRefusal | null
}

export interface EmbeddingRefusal {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A local HTTP server that makes vectors in the formats of OpenAI and Google. */
export interface EmbeddingServer {
  /** For `baseURL` in a provider's configuration. */
  readonly baseURL: string
  readonly requests: readonly EmbeddingRequest[]
  close(): Promise<void>
}

export async function startEmbeddingServer(options: EmbeddingServerOptions = {}): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = []
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch(() => outgoing.destroy())
  })

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { url: path = '', headers } = incoming
    const body = (await json(incoming)) as JsonRecord
    const format = FORMATS.find(({ ending }) => path.endsWith(ending))
    if (format === undefined) return send(outgoing, { status: 404, message: path })
    const request = { path, headers, body, texts: format.read(body) }
    requests.push(request)
    const refusal = options.refuse?.(request) ?? null
    if (refusal !== null) return send(outgoing, refusal)
    const vectors = request.texts.map((text) => countMeanings(text, options.synonyms ?? []))
    outgoing.writeHead(200, JSON_TYPE).end(JSON.stringify(format.write(vectors)))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

function send(outgoing: ServerResponse, { status, message, headers }: EmbeddingRefusal): void {
  const body = { error: { message, type: 'invalid_request_error', code: null, param: null, status: '' } }
  outgoing.writeHead(status, { ...JSON_TYPE, ...headers }).end(JSON.stringify(body))
}

interface Format {
  readonly ending: string
  read(body: JsonRecord): readonly string[]
  write(vectors: readonly (readonly number[])[]): unknown
}

/** Google has an address of its own for a single text. */
const FORMATS: readonly Format[] = [
  {
    ending: '/embeddings',
    read: (body) => (Array.isArray(body['input']) ? body['input'].map(String) : [stringIn(body, 'input')]),
    write: (vectors) => ({
      object: 'list',
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
  },
  {
    ending: ':embedContent',
    read: (body) => [textOfContent(body)],
    write: ([values]) => ({ embedding: { values } }),
  },
  {
    ending: ':batchEmbedContents',
    read: (body) => recordsIn(body['requests']).map(textOfContent),
    write: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
  },
]

function textOfContent({ content }: JsonRecord): string {
  return recordsIn([content])
    .map(({ parts }) => textIn(parts))
    .join('')
}
