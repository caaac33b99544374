import { expect, it } from 'vitest'
import { originOf } from './origin-of.ts'

it.each([
  [{ origin: 'pi', originId: 'garden' }, 'pi'],
  [{}, null],
  [{ origin: '' }, null],
  [{ origin: { name: 'pi' } }, null],
  [{ origin: 'pi', originId: 'garden', importedSeq: 12 }, null],
])('the program that keeps a session with the header %j: %s', (header, origin) => {
  expect(originOf(header)).toBe(origin)
})
