// npm run docs:hosts: writes what `npm run test:hosts` measured last into docs/hosts.md.
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One side of a host's two conversations, as `test/hosts/describe-host.ts` leaves it. */
interface MeasuredTalk {
  readonly host: string
  readonly versions: string
  readonly longhaul: boolean
  readonly turns: number
  readonly facts: number
  readonly known: number
  readonly errors: readonly string[]
  readonly refusals: number
  readonly summaries: number
  readonly tokensSent: number
}

const PAGE = join(import.meta.dirname, 'hosts.md')
const REPORTS = join(import.meta.dirname, '../node_modules/.cache/longhaul/host-reports')
const MARKS = /(<!-- measured -->\n)[^]*(<!-- \/measured -->)/

const talks = readdirSync(REPORTS)
  .filter((name) => name.includes('-40-'))
  .map((name) => JSON.parse(readFileSync(join(REPORTS, name), 'utf8')) as MeasuredTalk)
const table = renderTable(talks)
const page = readFileSync(PAGE, 'utf8')
writeFileSync(
  PAGE,
  page.replace(MARKS, (_, begin: string, end: string) => begin + table + end),
)

function renderTable(measured: readonly MeasuredTalk[]): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const rows = measured
    .toSorted((one, other) => one.versions.localeCompare(other.versions) || (one.longhaul ? 1 : -1))
    .map(({ versions, longhaul, turns, facts, known, errors, refusals, summaries, tokensSent }) =>
      [
        versions,
        longhaul ? '**with**' : 'without',
        `${errors.length} of ${turns}`,
        refusals,
        `${known} of ${facts}`,
        summaries,
        `${Math.round(tokensSent / 1_000).toLocaleString('en')}k`,
      ].join(' | '),
    )
  return [
    '| host | Longhaul | turns that ended with an error | requests refused as too long | old facts answered | summaries asked for | tokens sent |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
    `Measured ${new Date().toISOString().slice(0, 10)} at commit ${commit} by \`npm run test:hosts\`.`,
    '',
  ].join('\n')
}
