import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFolder } from '../testing/run-cli.ts'
import { canOpenBrowser, openBrowser } from './open-browser.ts'

describe('canOpenBrowser', () => {
  it('only where a person sits before a display', () => {
    const can = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean => canOpenBrowser({ platform, env })
    expect(can('linux', { DISPLAY: ':0' })).toBe(true)
    expect(can('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(true)
    expect(can('darwin', {})).toBe(true)
    expect(can('linux', {})).toBe(false)
    expect(can('linux', { DISPLAY: ':0', CI: 'true' })).toBe(false)
    expect(can('darwin', { SSH_CONNECTION: '10.0.0.1 22' })).toBe(false)
  })
})

describe.runIf(process.platform === 'linux')('openBrowser', () => {
  it('starts the opener with the address as one word, and without keys', async () => {
    const folder = await createFolder()
    const told = join(folder, 'told')
    await writeFile(
      join(folder, 'xdg-open'),
      `#!/bin/sh\necho "$# $1 [$ANTHROPIC_API_KEY]" > ${told}.part\nmv ${told}.part ${told}\n`,
    )
    await chmod(join(folder, 'xdg-open'), 0o755)
    const env = { PATH: `${folder}:${process.env['PATH']}`, ANTHROPIC_API_KEY: 'sk-secret' }
    openBrowser('http://127.0.0.1:1/open/a;b', { platform: 'linux', env })
    await expect.poll(() => readFile(told, 'utf8').catch(() => '')).toBe('1 http://127.0.0.1:1/open/a;b []\n')
  })

  it('a machine without an opener is no failure', async () => {
    expect(() => openBrowser('http://127.0.0.1:1/', { platform: 'linux', env: { PATH: '/nowhere' } })).not.toThrow()
    // An error that nobody hears would end the process.
    await new Promise((resolve) => setTimeout(resolve, 50))
  })
})
