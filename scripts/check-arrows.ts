// Checks who imports whom, by the tables of arrows/arrow-table.ts: node scripts/check-arrows.ts [root]
import { checkTree } from './arrows/check-tree.ts'

const { lines, passed } = checkTree(process.argv[2] ?? '.')
console.log(lines.join('\n'))
if (!passed) process.exitCode = 1
