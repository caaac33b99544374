import { expect, it } from 'vitest'
import { describeImport } from './describe-import.ts'

it('an import says that it made a copy, and which lines could not be read', () => {
  const copies = [{ id: 'new', of: 'old' }]
  const problems = [{ line: 2, reason: 'not JSON' }]
  expect(describeImport({ copies: [], problems: [] })).toBeNull()
  expect(describeImport({ copies, problems: [] })).toBe(
    'This conversation was here already: it was imported as a copy.',
  )
  expect(describeImport({ copies: [], problems })).toBe('Imported; 1 line could not be read.')
  expect(describeImport({ copies, problems })).toMatch(/as a copy\. Imported; 1 line/)
})
