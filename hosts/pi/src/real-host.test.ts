import { describeHost } from '../../../test/hosts/describe-host.ts'
import { installHost } from '../../../test/hosts/install-host.ts'
import { leaveOut } from '../../../test/left-out.ts'
import { startPi } from './testing/start-pi.ts'

const PI = '@earendil-works/pi-coding-agent@0.87.1'

const installed = await installHost({ name: 'pi', packages: [PI] }).catch((error: unknown) => String(error))
if (installed.startsWith('/')) describeHost({ name: 'pi', versions: PI, start: (setup) => startPi(installed, setup) })
else leaveOut('pi', installed)
