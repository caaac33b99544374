import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createOwner, isDead } from './owner.ts'

describe('createOwner', () => {
  it('names this process, each time by another name', () => {
    const owner = createOwner('http://10.0.0.7:4040')
    expect(owner).toMatchObject({ pid: process.pid, address: 'http://10.0.0.7:4040' })
    expect(owner.host).not.toBe('')
    expect(createOwner().id).not.toBe(owner.id)
    expect(createOwner()).not.toHaveProperty('address')
  })
})

describe('isDead', () => {
  it('is not said of a process that runs', async () => {
    expect(isDead(createOwner())).toBe(false)
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    try {
      await once(child, 'spawn')
      expect(isDead({ ...createOwner(), pid: child.pid ?? 0, startedAt: '' })).toBe(false)
    } finally {
      child.kill()
      await once(child, 'exit')
    }
    expect(isDead({ ...createOwner(), pid: child.pid ?? 0, startedAt: '' })).toBe(true)
  })

  it('is said of a process that has ended', () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    expect(isDead({ ...createOwner(), pid })).toBe(true)
  })

  it.runIf(process.platform === 'linux')('is said of a process whose pid another one has now', () => {
    expect(isDead({ ...createOwner(), startedAt: '1' })).toBe(true)
  })

  it('is never said of a process elsewhere', () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    expect(isDead({ ...createOwner(), pid, host: 'elsewhere' })).toBe(false)
  })
})
