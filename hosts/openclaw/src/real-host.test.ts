import { afterAll } from 'vitest'
import { buildPackage } from '../../../test/hosts/build-package.ts'
import { describeHost } from '../../../test/hosts/describe-host.ts'
import { installHost } from '../../../test/hosts/install-host.ts'
import { leaveOut } from '../../../test/left-out.ts'
import { OPENCLAW } from './testing/openclaw-version.ts'
import { startOpenClaw } from './testing/start-openclaw.ts'

const installed = await installHost({ name: 'openclaw', packages: [OPENCLAW] }).catch(String)

if (installed.startsWith('/')) {
  const { folder: plugin, remove } = await buildPackage('hosts/openclaw')
  afterAll(remove)
  describeHost({
    name: 'openclaw',
    versions: OPENCLAW,
    start: (setup) => startOpenClaw(installed, setup, { plugin }),
  })
} else leaveOut('openclaw: a conversation in the real host', `it could not be installed: ${installed}`)
