// npm run docs:gateway-cost: measures what the gateway costs and saves, and writes the table of docs/gateway-cost.md.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCostTable, measureCosts } from './gateway-cost.ts'

const PAGE = join(import.meta.dirname, '../../../docs/gateway-cost.md')
const MARKS = /(<!-- measured -->\n)[^]*(<!-- \/measured -->)/

const { title, columns, rows } = createCostTable(await measureCosts())
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const table = [
  `${title}:`,
  '',
  `| ${columns.join(' | ')} |`,
  `|${columns.map(() => '---').join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
  '',
  `Measured ${new Date().toISOString().slice(0, 10)} at commit ${commit} by \`npm run docs:gateway-cost\`; \`npm run bench -- gateway-cost\` prints the same.`,
  '',
].join('\n')
const page = readFileSync(PAGE, 'utf8')
writeFileSync(
  PAGE,
  page.replace(MARKS, (_, begin: string, end: string) => begin + table + end),
)
