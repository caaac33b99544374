import { describeHost } from '../../../test/hosts/describe-host.ts'
import { startProgram } from '../../../test/hosts/start-program.ts'

describeHost({
  name: 'langchain',
  versions: 'langchain@1.5.14, @langchain/core@1.2.13, @langchain/langgraph@1.4.13',
  start: startProgram(new URL('testing/program.ts', import.meta.url)),
})
