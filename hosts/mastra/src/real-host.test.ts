import { describeHost } from '../../../test/hosts/describe-host.ts'
import { startProgram } from '../../../test/hosts/start-program.ts'

describeHost({
  name: 'mastra',
  versions: '@mastra/core@1.71.0 @ai-sdk/openai-compatible@3.0.71',
  start: startProgram(new URL('testing/program.ts', import.meta.url)),
})
