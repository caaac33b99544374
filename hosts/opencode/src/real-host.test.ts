import { describeHost } from '../../../test/hosts/describe-host.ts'
import { leaveOut } from '../../../test/left-out.ts'
import { VERSIONS, installOpencode, startOpencode } from './testing/start-opencode.ts'

const reason = await installOpencode().then(
  () => null,
  (error: unknown) => String(error),
)
if (reason !== null) leaveOut('20 opencode, the real host', reason)
else describeHost({ name: 'opencode', versions: VERSIONS, start: startOpencode })
