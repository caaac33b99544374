import { describeHost } from '../../../test/hosts/describe-host.ts'
import { startProgram } from '../../../test/hosts/start-program.ts'

describeHost({
  name: 'ai-sdk',
  versions: 'ai@7.0.143, @ai-sdk/openai-compatible@3.0.71',
  start: startProgram(new URL('testing/program.ts', import.meta.url)),
})
