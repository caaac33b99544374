import { describe, expect, it } from 'vitest'
import { createManifests } from '../testing/build-manifests.ts'
import { restoreManifests } from './restore-manifests.ts'

const requests = createManifests(70)
const stored = requests.map((request) => request.stored)
const whole = requests.map(({ manifest }) => manifest)

describe('restoreManifests', () => {
  it('makes every manifest whole again', () => {
    expect(restoreManifests(stored)).toEqual(whole)
    expect(restoreManifests([])).toEqual([])
  })

  it('leaves out what rests on one that is not there, up to the next full one', () => {
    expect(restoreManifests(stored.slice(3))).toEqual(whole.slice(63))
    expect(restoreManifests([...stored.slice(0, 5), ...stored.slice(6)])).toEqual([
      ...whole.slice(0, 5),
      ...whole.slice(63),
    ])
  })
})
