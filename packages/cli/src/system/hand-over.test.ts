import { mkdirSync, readFileSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createFolder } from '../testing/run-cli.ts'
import { leaveVariables, takeVariables } from './hand-over.ts'

/** The hand-over lies in the folder for temporary files; here that is one of its own. */
async function useTemporaryFolder(): Promise<string> {
  const before = process.env['TMPDIR']
  const folder = await createFolder()
  process.env['TMPDIR'] = folder
  onTestFinished(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  })
  expect(tmpdir()).toBe(folder)
  return folder
}

it('variables arrive once, as they were, and lie on the disk for nobody to read', async () => {
  const folder = await useTemporaryFolder()
  const variables = { A: 'the secret', B: 'größer\n"', C: '' }
  const handedOver = leaveVariables(variables)
  const [place = ''] = readdirSync(folder)
  const file = join(folder, place, 'environment')
  expect(statSync(join(folder, place)).mode & 0o777).toBe(0o700)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'latin1')).not.toContain('the secret')
  expect(takeVariables(handedOver)).toStrictEqual(variables)
  expect(readdirSync(folder)).toStrictEqual([])
  expect(() => takeVariables(handedOver)).toThrow('ENOENT')
})

it('the next start removes what was never taken', async () => {
  const folder = await useTemporaryFolder()
  mkdirSync(join(folder, 'longhaul-start-old'))
  utimesSync(join(folder, 'longhaul-start-old'), 0, 0)
  takeVariables(leaveVariables({}))
  expect(readdirSync(folder)).toStrictEqual([])
})
