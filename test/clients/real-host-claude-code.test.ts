import { describeWithHost } from '../hosts/describe-with-host.ts'
import { describeClient } from './describe-client.ts'
import { CLAUDE_CODE, installClaudeCode, startClaudeCode } from './start-claude-code.ts'

describeWithHost('the real Claude Code', installClaudeCode, (bin) => {
  describeClient({
    name: 'claude-code',
    versions: CLAUDE_CODE,
    model: 'claude-haiku-4-5',
    goesOn: 'This session is being continued from a previous conversation',
    refuses: /Prompt is too long/,
    start: (setup) => startClaudeCode(bin, setup),
  })
})
