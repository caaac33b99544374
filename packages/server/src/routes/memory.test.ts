import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listOf, memoryFileSchema, memoryHitSchema, memoryTextSchema } from '@longhaul/protocol'
import { expect, it } from 'vitest'
import { createFolder, startApp } from '../testing/start-app.ts'

it('OPEN-10 finds, lists and reads what was saved', async () => {
  const app = await startApp()
  await app.runtime.memory.save('The gate is green.\nThe tank holds 300 litres.')
  const search = async (query: string) =>
    listOf(memoryHitSchema).parse(await (await app.request('GET', `/api/memory?query=${query}`)).json())
  expect((await search('gate')).items).toMatchObject([{ text: expect.stringContaining('The gate is green.') }])
  expect((await search('')).items).toHaveLength(2)
  expect((await search('%3F%22*')).items).toEqual([])
  const files = listOf(memoryFileSchema).parse(await (await app.request('GET', '/api/memory/files')).json())
  const [file] = files.items
  expect(file?.name).toMatch(/^memory\/\d{4}-\d\d-\d\d\.md$/)
  const text = await app.request('GET', `/api/memory/files/${encodeURIComponent(file?.name ?? '')}`)
  expect(await text.json()).toEqual({
    name: file?.name,
    text: expect.stringContaining('The tank holds 300 litres.'),
    untrustedLines: [],
  })
})

it('18.11 tells which notes are not from the user', async () => {
  const app = await startApp()
  const originsOf = async () => ['user', 'elsewhere'] as const
  await app.runtime.memory.save('The gate is green.\nThe gate code is 4711.', { originsOf })
  const hits = listOf(memoryHitSchema).parse(await (await app.request('GET', '/api/memory?query=gate')).json())
  expect(hits.items.map(({ text, trusted }) => [text, trusted])).toEqual(
    expect.arrayContaining([
      ['- The gate is green.', true],
      ['- Not from the user: The gate code is 4711.', false],
    ]),
  )
  const name = encodeURIComponent(hits.items[0]?.document ?? '')
  const file = memoryTextSchema.parse(await (await app.request('GET', `/api/memory/files/${name}`)).json())
  expect(file.untrustedLines.map((line) => file.text.split('\n')[line - 1])).toEqual([
    '- Not from the user: The gate code is 4711.',
  ])
})

it.each([
  'config.json5',
  '..%2Fconfig.json5',
  'memory%2F..%2F..%2Fsecret.md',
  '%2Fetc%2Fpasswd',
  '..%5Csecret.md',
  'memory%2F2026-11-15.md%00',
  '%2e%2e%2fsecret.md',
])('no name leads out of the memory: %s', async (name) => {
  const folder = await createFolder()
  const app = await startApp({ folder })
  await app.runtime.memory.save('The gate is green.')
  await writeFile(join(folder, 'secret.md'), 'secret')
  await writeFile(join(folder, 'config.json5'), '{ secret: true }')
  const response = await app.request('GET', `/api/memory/files/${name}`)
  expect(response.status).toBe(404)
  expect(await response.text()).not.toContain('secret: true')
})
