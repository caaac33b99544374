import type { Message } from '@longhaul/engine/advanced'

/** A library that does for a conversation what Longhaul's per-turn work does, or a part of it. */
export interface Peer {
  readonly name: string
  readonly tasks: readonly PeerTask[]
}

interface PeerTask {
  readonly name: string
  /** The conversation in the library's own format, made once; what comes back is the work of one turn. */
  prepare(messages: readonly Message[]): () => unknown
}

/** A variable keeps compilers and linters from looking for a package that only this folder installs. */
export async function loadPeer<T>(packageName: string): Promise<T> {
  return (await import(packageName)) as T
}

export function textOfMessage({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
