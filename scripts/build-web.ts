// npm run build: the web app into packages/web/dist, also where nothing has changed.
import { buildWeb } from '@longhaul/server'

const note = (line: string): void => console.log(line)
if ((await buildWeb({ isForced: true, note })) === null) process.exitCode = 1
