import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { basename, delimiter, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolder } from '../../packages/server/src/testing/start-app.ts'
import { leaveOut } from '../left-out.ts'
import { startCommandServer } from './start-command-server.ts'

const hasBubblewrap = spawnSync('bwrap', ['--version']).status === 0

describe('Bubblewrap', () => {
  if (!hasBubblewrap) {
    leaveOut('18.2 commands in Bubblewrap', 'bwrap is not installed: apt-get install bubblewrap')
    return
  }

  it('18.2 where it is installed, no command reads conversations or configuration; the workspace is as it was', async () => {
    const { folder, run } = await startCommandServer({ command: {} })
    const [read = '', kept = ''] = await run([
      { command: `cat ${folder}/config.json5 ../config.json5 ../longhaul.db 2>/dev/null; ls -A ..` },
      { command: 'echo kept > note; cat note' },
    ])
    expect(read).toBe('"workspace\n[exit code 0]"')
    expect(kept).toContain('kept\n[exit code 0]')
    expect(await readFile(join(folder, 'workspace', 'note'), 'utf8')).toBe('kept\n')
  })

  it('18.2 no command takes away what hides them, as root neither', async () => {
    const { folder, run } = await startCommandServer({ command: {} })
    const look = `cat ${folder}/config.json5; ls -A ${folder}`
    const inOthers = `unshare --user --map-root-user --mount sh -c 'umount -l ${folder}; ${look}'`
    const [unmounted = '', elsewhere = ''] = await run([
      { command: `umount -l ${folder}; mount -t tmpfs none /mnt; mknod own b 7 0; ${look}` },
      { command: `${inOthers}; nsenter --target 1 --mount ${look}` },
    ])
    for (const output of [unmounted, elsewhere]) {
      expect(output).not.toMatch(/contextWindow|longhaul\.db/)
      expect(output).toMatch(/cat: .*config\.json5/)
    }
    expect(existsSync(join(folder, 'workspace', 'own'))).toBe(false)
  })

  it('18.2 as a sandbox it shows programs and the workspace: no home, no data, no network, nothing else to write', async () => {
    const listening = createServer((socket) => socket.end('reached'))
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void listening.close())
    const { port } = listening.address() as AddressInfo
    const server = await startCommandServer({ command: { sandbox: 'bubblewrap', readable: ['tools'] } })
    const { folder } = server
    await writeFile(join(folder, '.netrc'), 'a password')
    await mkdir(join(folder, 'tools'))
    await writeFile(join(folder, 'tools', 'readme'), 'for all\n')
    const name = `${basename(folder)}.x`
    const connect = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`
    const [secrets = '', writing = '', network = '', own = ''] = await server.run([
      { command: `cat ${folder}/.netrc ${folder}/config.json5 ${folder}/longhaul.db ${folder}/tools/readme` },
      { command: `touch /etc/${name} /usr/${name} ${folder}/tools/${name}` },
      { command: `bash -c '${connect}'` },
      { command: `echo mine > /tmp/${name} && cat /tmp/${name} | tee note` },
    ])
    expect(secrets).toContain('for all\n')
    expect(secrets).not.toMatch(/a password|contextWindow|SQLite format/)
    expect(writing.match(/Read-only file system/g)).toHaveLength(3)
    expect(network).toContain('Connection refused')
    expect(own).toContain('mine\n[exit code 0]')
    expect(existsSync(`/tmp/${name}`)).toBe(false)
    expect(await readFile(join(folder, 'workspace', 'note'), 'utf8')).toBe('mine\n')
  })
})

describe('a process namespace without Bubblewrap', () => {
  const WORDS = ['--pid', '--fork', '--mount-proc']
  const canBe = (...more: readonly string[]): boolean => spawnSync('unshare', [...more, ...WORDS, 'true']).status === 0
  if (!canBe() && !canBe('--user', '--map-current-user')) {
    leaveOut('18.2 commands in a process namespace', 'this system lets nobody make one by unshare')
    return
  }

  it('18.2 a command sees no process but its own, and root does not uncover the others', async () => {
    const programs = await createFolder()
    for (const name of ['cat', 'ls', 'nsenter', 'setpriv', 'sh', 'tr', 'umount', 'unshare']) {
      const found = (process.env['PATH'] ?? '')
        .split(delimiter)
        .map((place) => join(place, name))
        .find(existsSync)
      if (found !== undefined) await symlink(found, join(programs, name))
    }
    // What the model's server and this test run with; no command has a reason to see it.
    const environment = { PATH: programs, LONGHAUL_KEEP: 'KEPT', KEPT: 'kept-in-the-server' }
    const { run } = await startCommandServer({ command: {}, environment })
    const look = `ls /proc; cat /proc/[0-9]*/environ | tr '\\0' '\\n'`
    const outputs = await run([
      { command: look },
      { command: `umount -l /proc; ${look}` },
      { command: `unshare --user --map-root-user --mount sh -c "umount -l /proc; ${look}"` },
      { command: `umount -l /proc; nsenter --target ${process.pid} --pid --mount sh -c "echo out; ls /proc"` },
    ])
    for (const output of outputs) {
      expect(output).not.toContain('kept-in-the-server')
      expect(output).not.toMatch(new RegExp(`^(?:out|${process.pid})$`, 'm'))
    }
    expect(outputs[0]).toMatch(/^"1\n2\n/)
  })
})

it('18.2 a sandbox that was asked for and is not there is never left out', async () => {
  const { folder, run } = await startCommandServer({
    command: { sandbox: 'docker', image: 'debian' },
    environment: { DOCKER_HOST: 'unix:///nowhere', PATH: '/nowhere' },
  })
  const [output = ''] = await run([{ command: 'touch ran' }])
  expect(output).toMatch(/Not run: tools\.command\.sandbox is .{0,3}docker/)
  expect(existsSync(join(folder, 'workspace', 'ran'))).toBe(false)
})
