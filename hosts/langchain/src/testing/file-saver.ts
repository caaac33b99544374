import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { MemorySaver } from '@langchain/langgraph-checkpoint'

/** A checkpointer that outlives its process: the newest checkpoint of each thread, in one file. */
export class FileSaver extends MemorySaver {
  readonly #file: string

  constructor(file: string) {
    super()
    this.#file = file
    try {
      const { storage, writes } = JSON.parse(readFileSync(file, 'utf8'), revive) as Kept
      Object.assign(this.storage, storage)
      Object.assign(this.writes, writes)
    } catch {
      // The first start.
    }
  }

  override async put(...given: Parameters<MemorySaver['put']>): ReturnType<MemorySaver['put']> {
    const config = await super.put(...given)
    for (const spaces of Object.values(this.storage)) {
      for (const [space, checkpoints] of Object.entries(spaces)) {
        const newest = Object.keys(checkpoints).toSorted().at(-1)
        spaces[space] = Object.fromEntries(Object.entries(checkpoints).filter(([id]) => id === newest))
      }
    }
    for (const key of Object.keys(this.writes)) if (!key.includes(given[1].id)) delete this.writes[key]
    const { storage, writes } = this
    await writeFile(`${this.#file}.new`, JSON.stringify({ storage, writes } satisfies Kept, replace))
    await rename(`${this.#file}.new`, this.#file)
    return config
  }
}

type Kept = Pick<MemorySaver, 'storage' | 'writes'>

function replace(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value
}

function revive(_key: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'bytes' in value && typeof value.bytes === 'string'
  return isBytes ? new Uint8Array(Buffer.from(value.bytes as string, 'base64')) : value
}
