import { expect, it } from 'vitest'
import { plainPreview } from './plain-preview.ts'

it('a preview has no marks of Markdown, and keeps every word and sign of the text', () => {
  expect(plainPreview('From the summary: > And a **rule** in `docs/monday.md`')).toBe(
    'From the summary: And a rule in docs/monday.md',
  )
  expect(plainPreview('From recall: > > And a rule')).toBe('From recall: And a rule')
  expect(plainPreview('## Done\n\n- 3 > 2')).toBe('Done - 3 > 2')
  expect(plainPreview('a->b, snake_case, 2*3, #5')).toBe('a->b, snake_case, 2*3, #5')
})
