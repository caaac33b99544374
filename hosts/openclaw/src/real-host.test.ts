import { describeHost } from '../../../test/hosts/describe-host.ts'
import { installHost } from '../../../test/hosts/install-host.ts'
import { leaveOut } from '../../../test/left-out.ts'
import { OPENCLAW } from './testing/openclaw-version.ts'
import { startOpenClaw } from './testing/start-openclaw.ts'

try {
  const installed = await installHost({ name: 'openclaw', packages: [OPENCLAW] })
  describeHost({ name: 'openclaw', versions: OPENCLAW, start: (setup) => startOpenClaw(installed, setup) })
} catch (error) {
  leaveOut('openclaw: a conversation in the real host', `it could not be installed: ${String(error)}`)
}
