import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Nearly the smallest, in a tenth of the time. */
const BROTLI_QUALITY = 8

/** What the client can read, the smaller first; null: only what is not squeezed. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | null {
  const offers = (acceptEncoding ?? '').toLowerCase().split(',')
  const accepts = (name: Encoding): boolean =>
    offers.some((offer) => {
      const [coding = '', weight = ''] = offer.split(';').map((word) => word.trim())
      return coding === name && !/^q=0(?:\.0*)?$/.test(weight)
    })
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : null
}

const runBrotli = promisify(brotliCompress)
const runGzip = promisify(gzip)

export function squeeze(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'gzip') return runGzip(bytes)
  return runBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
}
