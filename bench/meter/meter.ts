import type { Bench } from '../bench.ts'
import { loadBilledSessions } from './billed-sessions.ts'
import { addHindsight } from './hindsight.ts'
import { createMeterReport } from './meter-report.ts'
import { countPrefixChanges } from './prefix-changes.ts'
import type { PrefixChanges } from './prefix-changes.ts'
import { createPruneProbe } from './pruned-requests.ts'
import type { PrunedRequest } from './pruned-requests.ts'
import { walkBills } from './walk-bills.ts'
import type { BilledRequest } from './walk-bills.ts'

export const meterBench: Bench = {
  name: 'meter',
  about: 'how well the size of a request is foreseen, against the bills of real sessions',
  async run({ note }) {
    const requests: BilledRequest[] = []
    const pruned: PrunedRequest[] = []
    const prefixes: PrefixChanges[] = []
    for (const session of loadBilledSessions(note)) {
      const probe = createPruneProbe(session.origin)
      const walked = walkBills(session, (moment) => probe.visit(moment))
      const counted = addHindsight(walked, probe.requests())
      requests.push(...counted.requests)
      pruned.push(...counted.pruned)
      prefixes.push(await countPrefixChanges(session))
    }
    return createMeterReport({ requests, pruned, prefixes })
  },
}
