import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { OLD_NAMES } from './file/aliases.ts'
import { FILE } from './file/file-schema.ts'
import { refusalOf } from './testing/load-file.ts'

const GUIDE = new URL('../../../../docs/guide/', import.meta.url)

describe('the guide', () => {
  it.each(['5-memory-flush.md', '9-models.md', '11-configuration.md'])(
    'has only examples in %s that are taken',
    async (name) => {
      const page = await readFile(new URL(name, GUIDE), 'utf8')
      const examples = [...page.matchAll(/```json5\n([^]*?)```/g)].map(([, source = '']) => source)
      expect(examples.length).toBeGreaterThan(0)
      for (const source of examples) expect(await refusalOf(source)).toStrictEqual([])
    },
  )

  it('names every key of the file and every old name', async () => {
    const page = await readFile(new URL('11-configuration.md', GUIDE), 'utf8')
    const names = [...Object.keys(FILE.shape), ...Object.keys(OLD_NAMES)]
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toStrictEqual([])
  })
})
