import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { describeWithPrivateServer } from './describe-with-postgres.ts'

async function ask(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

function folderOf(url: string): string {
  return decodeURIComponent(new URL(url).hostname)
}

/** A process of its own that starts a server; the pids of both. */
async function startElsewhere(): Promise<{ starter: ChildProcess; url: string; serverPid: number }> {
  const module = JSON.stringify(join(import.meta.dirname, 'start-server.ts'))
  const code = `import(${module}).then(({ startServer }) => startServer()).then(({ url }) => console.log(url))`
  const starter = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const [line] = (await once(starter.stdout, 'data')) as [Buffer]
  const url = line.toString().trim()
  const serverPid = Number(readFileSync(join(folderOf(url), 'data/postmaster.pid'), 'utf8').split('\n')[0])
  return { starter, url, serverPid }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describeWithPrivateServer('a PostgreSQL server of our own', (getServer) => {
  it('runs as it would in production: synced, by somebody who is not root, reachable by nobody else', async () => {
    const { url } = getServer()
    const [row] = await ask(
      url,
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as sync,
      current_setting('listen_addresses') as addresses`,
    )
    expect(row).toEqual({ fsync: 'on', sync: 'on', addresses: '' })
  })

  it('keeps what was stored when it is stopped or crashes', async () => {
    const server = getServer()
    await ask(server.url, 'create table kept (n integer)')
    for (const end of [server.stop, server.crash]) {
      await ask(server.url, 'insert into kept values (1)')
      await end()
      await expect(ask(server.url, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
      await server.start()
    }
    expect(await ask(server.url, 'select count(*)::integer as rows from kept')).toEqual([{ rows: 2 }])
  })

  it.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)('ends with the process that started it: %s', async (signal) => {
    const { starter, url, serverPid } = await startElsewhere()
    expect(isRunning(serverPid)).toBe(true)
    // The whole group, as Ctrl-C does.
    process.kill(-(starter.pid ?? 0), signal)
    await expect.poll(() => isRunning(serverPid), { timeout: 15_000 }).toBe(false)
    await expect.poll(() => existsSync(folderOf(url)), { timeout: 15_000 }).toBe(false)
  })
})
