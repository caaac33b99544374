import type { Bench } from '../bench.ts'
import { measureEngineCosts } from './engine-costs.ts'
import { measurePeerTimes } from './peer-times.ts'
import { loadPeers } from './peers/load-peers.ts'
import { createSpeedReport } from './speed-report.ts'
import { createLogs, createTurnSampler } from './turns.ts'

const SIZES = [1_000, 10_000, 100_000]
const WARM_UP_SIZE = 3_000
const ROUNDS = 7
const QUICK_ROUNDS = 3

export const speedBench: Bench = {
  name: 'speed',
  about: 'the cost of one request as a conversation grows, beside other libraries',
  async run({ isQuick, note }) {
    const peers = await loadPeers(note)
    note(`writing logs of ${SIZES.join(', ')} messages`)
    const logs = SIZES.map(createLogs)
    // Compiles the code before anything counts.
    await createTurnSampler([createLogs(WARM_UP_SIZE)]).sample()
    const sampler = createTurnSampler(logs)
    note('measuring requests')
    await sampler.sample()
    if (peers.length > 0) note(`measuring ${peers.map(({ name }) => name).join(', ')} on the same conversations`)
    const peerTimes = await measurePeerTimes(peers, SIZES, isQuick)
    const middleWindow = sampler.times().at(-1)?.windowMessages ?? 0
    const windowTimes = await measurePeerTimes(peers, [middleWindow], isQuick)
    for (let round = 1; round < (isQuick ? QUICK_ROUNDS : ROUNDS); round += 1) await sampler.sample()
    note('measuring the other steps of the engine')
    const costs = await measureEngineCosts(logs.at(-1)?.compacted ?? [], isQuick)
    return createSpeedReport({ turns: sampler.times(), peerTimes, windowTimes, costs })
  },
}
