import type { Bench } from '../bench.ts'
import { measureEngineCosts } from './engine-costs.ts'
import { measurePeerTimes } from './peer-times.ts'
import { loadPeers } from './peers/load-peers.ts'
import { WINDOW_TOKENS } from './session.ts'
import { createSpeedReport } from './speed-report.ts'
import { createSizedSessions, createTurnSampler, warmUp } from './turns.ts'
import type { SizedSessions } from './turns.ts'

const SIZES = [1_000, 10_000, 100_000]
const ROUNDS = 7
const QUICK_ROUNDS = 3

export const speedBench: Bench = {
  name: 'speed',
  about: 'what one turn costs as a conversation grows, beside other libraries',
  async run({ isQuick, note }) {
    const peers = await loadPeers(note)
    note(`growing sessions of ${SIZES.join(', ')} messages`)
    await warmUp(WINDOW_TOKENS)
    const sessions: SizedSessions[] = []
    for (const size of SIZES) sessions.push(await createSizedSessions(size, WINDOW_TOKENS))
    const sampler = createTurnSampler(sessions)
    note('measuring turns')
    await sampler.sample()
    if (peers.length > 0) note(`measuring ${peers.map(({ name }) => name).join(', ')} on the same conversations`)
    const peerTimes = await measurePeerTimes({ peers, sizes: SIZES, isQuick })
    const middleWindow = sampler.times().at(-1)?.windowMessages ?? 0
    const windowTimes = await measurePeerTimes({ peers, sizes: [middleWindow], isQuick })
    for (let round = 1; round < (isQuick ? QUICK_ROUNDS : ROUNDS); round += 1) await sampler.sample()
    note('measuring the other steps of the engine')
    const [young, old] = [sessions.at(0), sessions.at(-1)]
    if (young === undefined || old === undefined) throw new Error('no sizes to measure')
    const costs = await measureEngineCosts({
      isQuick,
      young: young.maintained,
      old: old.maintained,
      unbounded: old.unbounded,
    })
    return createSpeedReport({ turns: sampler.times(), peerTimes, windowTimes, costs })
  },
}
