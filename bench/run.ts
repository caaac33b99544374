// npm run bench [-- name …] [--quick] [--kind NAME …] [--window TOKENS …] [--json FILE]: measures Longhaul and says which of its goals hold.
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { agentBench } from './agent/agent.ts'
import { auditBench } from './audit/audit.ts'
import type { Bench } from './bench.ts'
import { cliBench } from './cli/cli.ts'
import { gatewayCostBench } from './gateway/cost/gateway-cost.ts'
import { gatewayBench } from './gateway/gateway.ts'
import { hostsBench } from './hosts/hosts.ts'
import { meterBench } from './meter/meter.ts'
import { policiesBench } from './policies/policies.ts'
import { renderGoals } from './report/goal.ts'
import { renderTable } from '@longhaul/replay'
import { retentionBench } from './retention/retention.ts'
import { serverBench } from './server/server.ts'
import { speedBench } from './speed/speed.ts'
import { storeBench } from './store/store.ts'

/** Where the machine's processors are idle for less than this, other programs are likely to have been in the way. */
const BUSY_IDLE_SHARE = 0.15

const benches: readonly Bench[] = [
  speedBench,
  meterBench,
  retentionBench,
  storeBench,
  agentBench,
  policiesBench,
  cliBench,
  serverBench,
  hostsBench,
  gatewayBench,
  gatewayCostBench,
  auditBench,
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    kind: { type: 'string', multiple: true },
    window: { type: 'string', multiple: true },
    json: { type: 'string' },
  },
})
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name))
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. Known are:`)
  for (const { name, about } of benches) console.error(`  ${name}: ${about}`)
  process.exit(2)
}

const results: Record<string, unknown> = { node: process.version, quick: values.quick }
for (const bench of benches) {
  if (positionals.length > 0 && !positionals.includes(bench.name)) continue
  const begin = performance.now()
  const before = readProcessors()
  console.log(`${bench.name}: ${bench.about}`)
  const report = await bench.run({
    isQuick: values.quick,
    kinds: values.kind,
    windows: values.window?.map(Number),
    note: (line) => console.log(`  … ${line}`),
  })
  for (const table of report.tables) console.log(`\n${renderTable(table)}`)
  console.log(`\n${renderGoals(report.goals)}`)
  const seconds = (performance.now() - begin) / 1_000
  const after = readProcessors()
  const idleShare = (after.idleMs - before.idleMs) / (after.totalMs - before.totalMs)
  console.log(`\n${bench.name} took ${seconds.toFixed(0)} s on Node ${process.version}`)
  if (idleShare < BUSY_IDLE_SHARE) {
    const idle = `its processors were idle for ${Math.round(idleShare * 100)} % of the time`
    console.log(`The machine was busy: ${idle}. Repeat it on a quiet one.`)
  }
  results[bench.name] = { goals: report.goals, numbers: report.numbers }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)

/** Of all of them together, since the machine was started. */
function readProcessors(): { readonly idleMs: number; readonly totalMs: number } {
  const times = cpus().map(({ times: each }) => each)
  const totalMs = times.flatMap((each) => Object.values(each)).reduce((sum, ms) => sum + ms, 0)
  return { totalMs, idleMs: times.reduce((sum, { idle }) => sum + idle, 0) }
}
