// npm run pack [FOLDER]: every package as a tarball that npm installs anywhere, without this checkout.
// Sources stay TypeScript here; Node strips no types below node_modules, so what leaves is JavaScript with declarations.
import { join, resolve } from 'node:path'
import { buildWeb } from '@longhaul/server'
import { packAll } from './pack/pack-all.ts'

const root = join(import.meta.dirname, '..')
const folder = resolve(process.argv[2] ?? join(root, 'dist'))

await buildWeb({ note: (line) => console.log(line) })
const tarballs = await packAll({ root, folder })
console.log(`${tarballs.join('\n')}\n\nTo install all of it: npm install ${join(folder, 'longhaul-*.tgz')}`)
