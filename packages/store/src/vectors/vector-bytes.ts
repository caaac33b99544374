import { StoreError } from '../store-error.ts'

/** As it is stored: 32-bit numbers, brought to length 1, so that the product of two vectors says how near they are. */
export function toVectorBytes(vector: readonly number[]): Uint8Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  if (vector.length === 0 || !Number.isFinite(length)) {
    throw new StoreError('invalid', 'A vector must be a list of finite numbers that is not empty.')
  }
  // All zeros: as near to everything as to nothing.
  return new Uint8Array(Float32Array.from(vector, (value) => value / (length || 1)).buffer)
}

export function readVectorBytes(bytes: Uint8Array): Float32Array {
  // Drivers hand out pieces of larger buffers, which may begin anywhere.
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  return new Float32Array(buffer, byteOffset, Math.floor(byteLength / 4))
}
