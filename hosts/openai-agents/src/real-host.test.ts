import { describeHost } from '../../../test/hosts/describe-host.ts'
import { startProgram } from '../../../test/hosts/start-program.ts'

describeHost({
  name: 'openai-agents',
  versions: '@openai/agents@0.20.0',
  start: startProgram(new URL('testing/program.ts', import.meta.url)),
})
