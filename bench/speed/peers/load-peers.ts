import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createAiSdkPeer } from './ai-sdk.ts'
import { createLangChainPeer } from './langchain.ts'
import type { Peer } from './peer.ts'
import { createPiPeer } from './pi.ts'

const INSTALL_TIMEOUT_MS = 120_000

/** Installs what is missing, apart from Longhaul's own packages. A peer that cannot be had is named and left out. */
export async function loadPeers(note: (line: string) => void): Promise<readonly Peer[]> {
  if (!existsSync(join(import.meta.dirname, 'node_modules', '.package-lock.json'))) {
    note('installing the peers once, in a folder of their own')
    const args = 'ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=1000'.split(' ')
    const { status } = spawnSync('npm', args, {
      cwd: import.meta.dirname,
      stdio: 'ignore',
      timeout: INSTALL_TIMEOUT_MS,
    })
    if (status !== 0) {
      note('the peers cannot be installed here (npm ci failed); Longhaul is measured alone')
      return []
    }
  }
  const peers: Peer[] = []
  for (const create of [createPiPeer, createLangChainPeer, createAiSdkPeer]) {
    try {
      peers.push(await create())
    } catch (error) {
      note(`left out: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return peers
}
