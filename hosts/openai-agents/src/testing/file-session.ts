import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { AgentInputItem, Session } from '@openai/agents'

/** A session that outlives its process: all items in one file. */
export function createFileSession(file: string): Session {
  const id = randomUUID()
  const read = async (): Promise<AgentInputItem[]> =>
    JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as AgentInputItem[]
  const write = (items: readonly AgentInputItem[]): Promise<void> => writeFile(file, JSON.stringify(items))
  return {
    getSessionId: async () => id,
    getItems: async (limit) => (await read()).slice(limit === undefined ? 0 : -limit),
    addItems: async (items) => write([...(await read()), ...items]),
    async popItem() {
      const items = await read()
      const last = items.pop()
      await write(items)
      return last
    },
    clearSession: () => write([]),
  }
}
