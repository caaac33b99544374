import { describeHost } from '../../../test/hosts/describe-host.ts'
import { startProgram } from '../../../test/hosts/start-program.ts'

const name = 'openai-agents'

describeHost({
  name,
  versions: '@openai/agents@0.20.0, Chat Completions',
  start: startProgram(new URL('testing/program.ts', import.meta.url)),
})
describeHost({
  name,
  versions: '@openai/agents@0.20.0, Responses',
  start: startProgram(new URL('testing/program-responses.ts', import.meta.url)),
})
