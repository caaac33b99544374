import { describeWithHost } from '../hosts/describe-with-host.ts'
import { describeClient } from './describe-client.ts'
import { CODEX, installCodex, startCodex } from './start-codex.ts'

describeWithHost('the real Codex', installCodex, (bin) => {
  describeClient({
    name: 'codex',
    versions: CODEX,
    model: 'gpt-6.1-sol',
    goesOn: 'Another language model started to solve this problem',
    refuses: /ran out of room in the model's context window/,
    start: (setup) => startCodex(bin, setup),
  })
})
