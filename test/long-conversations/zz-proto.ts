import { createModels } from '@longhaul/models'
import { mkdtemp, rm } from 'node:fs/promises'
import { createSqliteStore } from '@longhaul/store'
import { startAgent } from '/work/main/packages/agent/src/testing/start-agent.ts'
import { planConversation } from '/work/main/test/long-conversations/plan-conversation.ts'
const preset = process.argv[2] ?? 'longhaul', win = Number(process.argv[3] ?? 16384), turns = Number(process.argv[4] ?? 300), mc=Number(process.argv[5] ?? 700), fc=Number(process.argv[6]??2500)
const models = createModels({ offline: { windowTokens: win } })
const dir = await mkdtemp('/tmp/lc-')
const store = await createSqliteStore({ file: dir + '/a.db' })
const talk = planConversation({ turns, messageChars: mc, fileChars: fc, seed: 7 })
let now = Date.now()
const under = startAgent({ store, models, preset, now: () => now, ownTools: [{ name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }, permit: () => ({ verdict: 'allow' }), run: async (i) => ({ output: talk.readFile(String(i['path'])) }) }] })
const { id } = await under.agent.createSession()
for (const text of talk.pins) console.log(JSON.stringify(await under.agent.request(id, 'pin', { text })))
const t0 = performance.now()
const bad: string[] = []
let ctx = 0, rec = 0, miss = 0
for (const [i, line] of talk.lines.entries()) {
  now += 30_000 + (i % 7) * 60_000
  const ev = await under.say(id, line.text)
  for (const e of ev) if (e.type === 'error' || (e.type === 'retry')) bad.push(i + JSON.stringify(e))
  const done = ev.find((e) => e.type === 'response-complete')
  if (done?.type !== 'response-complete') bad.push(i + ' no reply')
  else if (line.expects) {
    const rc = ev.some((e) => e.type === 'tool-call' && (e.name === 'recall'))
    if (done.text.includes(line.expects)) { if (rc) rec++; else ctx++ } else { miss++; bad.push(i + ' ' + line.text + ' -> ' + done.text + JSON.stringify(ev.filter((e) => e.type === 'tool-call' || e.type==='tool-result')).slice(0,1500)) }
  }
}
const { head } = (await under.agent.inspect(id)).log.state()
const kinds = Object.entries(Object.groupBy(await under.entries(id), (e) => e.type)).map(([k, v]) => k + ':' + v!.length).join(' ')
console.log(preset, win, turns, 'compactions', head.compactionCount, 'ctx', ctx, 'rec', rec, 'miss', miss, head.totals, Math.round(performance.now() - t0), 'ms', kinds)
console.log(bad.slice(0, 6).join('\n'))
for (const l of under.lines.filter((l) => l.level !== 'info' && l.level !== 'debug').slice(0, 5)) console.log(l)
await under.close(); await rm(dir, { recursive: true })
