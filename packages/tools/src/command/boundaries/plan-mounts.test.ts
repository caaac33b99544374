import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { planMounts } from './plan-mounts.ts'

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-mounts-')))
  mkdirSync(join(folder, 'data', 'workspace', 'inner'), { recursive: true })
  writeFileSync(join(folder, 'data', 'longhaul.db'), '')
  writeFileSync(join(folder, 'config.json5'), '')
  symlinkSync(join(folder, 'config.json5'), join(folder, 'link'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const plan = (...wishes: Parameters<typeof planMounts>): readonly string[] =>
  planMounts(...wishes).map(({ path, how }) => `${how} ${path.slice(folder.length)}`)
const at = (...names: readonly string[]): string => join(folder, ...names)

it('a workspace inside a hidden folder is seen; what else lies in that folder needs no word', () => {
  const hidden = [at('data', 'longhaul.db'), at('config.json5'), at('data')]
  expect(plan({ hidden, writable: [at('data', 'workspace')] })).toStrictEqual([
    'hide-file /config.json5',
    'hide-folder /data',
    'write /data/workspace',
  ])
})

it('a hidden folder inside the workspace is not', () => {
  expect(plan({ hidden: [at('data', 'workspace', 'inner')], writable: [at('data', 'workspace')] })).toStrictEqual([
    'write /data/workspace',
    'hide-folder /data/workspace/inner',
  ])
})

it('the workspace itself is never hidden, links are followed, and what is not there is left out', () => {
  const hidden = [at('data'), at('link'), at('nowhere')]
  expect(plan({ hidden, readable: [at('data', 'longhaul.db')], writable: [at('data')] })).toStrictEqual([
    'write /data',
    'hide-file /config.json5',
    'read /data/longhaul.db',
  ])
})
