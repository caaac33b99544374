import type { ReplayPolicy } from '../carriers/carrier.ts'
import { anthropicApi } from './anthropic-api.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'
import { langchain } from './langchain.ts'
import { opencode } from './opencode.ts'
import { openhands } from './openhands.ts'
import type { Peer } from './peer.ts'
import { createPeerCarrier } from './peer-carrier.ts'
import { pi } from './pi.ts'

export const PEERS: readonly Peer[] = [langchain, anthropicApi, codex, claudeCode, geminiCli, opencode, openhands, pi]

export function createPeerPolicy(peer: Peer): ReplayPolicy {
  const { name, about, source } = peer
  return { name, kind: 'peer', about, source, canRecall: false, start: (options) => createPeerCarrier(peer, options) }
}
