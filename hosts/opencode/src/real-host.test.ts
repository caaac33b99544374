import { describeHost } from '../../../test/hosts/describe-host.ts'
import { describeWithHost } from '../../../test/hosts/describe-with-host.ts'
import { VERSIONS, installOpencode, startOpencode } from './testing/start-opencode.ts'

describeWithHost('the real host', installOpencode, (program) => {
  describeHost({ name: 'opencode', versions: VERSIONS, start: (setup) => startOpencode(program, setup) })
})
