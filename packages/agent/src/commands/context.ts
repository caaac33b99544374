import { AgentError } from '../agent-error.ts'
import { reportContext } from '../inspect/context-report.ts'
import type { Command } from './command.ts'

const FORMS = ['list', 'detail', 'json'] as const

export const contextCommand: Command = {
  name: 'context',
  usage: '/context list|detail|json',
  summary: 'what takes the space in the next request',
  async run(argument, { agent, sessionId }) {
    const form = FORMS.find((each) => each === (argument === '' ? 'list' : argument))
    if (form === undefined) throw new AgentError('invalid-request', `Say ${FORMS.join(', ')}; not "${argument}".`)
    return { command: 'context', form, report: reportContext(await agent.inspect(sessionId)) }
  },
}
