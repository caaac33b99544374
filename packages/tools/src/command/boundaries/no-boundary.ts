import type { Boundary } from './boundary.ts'

export const NO_BOUNDARY: Boundary = {
  name: 'no sandbox',
  reach: 'it can read and change whatever you can',
  isNamespaced: false,
  wrap: (command) => ({ file: '/bin/sh', arguments: ['-c', command], endWith: null }),
}
