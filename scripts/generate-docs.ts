// npm run docs: writes into the documents what the code says. With --check it only tells which page is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderExample } from './docs/example.ts'
import { fillPart } from './docs/fill-part.ts'
import { renderLedgerKinds } from './docs/ledger-kinds.ts'
import { renderPolicyKeys } from './docs/policy-keys.ts'
import { renderStoreSchema } from './docs/store-schema.ts'
import { renderThresholds } from './docs/thresholds.ts'

const root = join(import.meta.dirname, '..')
const pages: Readonly<Record<string, () => string>> = {
  'README.md': () => renderExample(root),
  'docs/guide/2-window-and-limits.md': renderThresholds,
  'docs/guide/what-survives.md': renderLedgerKinds,
  'docs/reference/policy.md': renderPolicyKeys,
  'docs/reference/store-schema.md': renderStoreSchema,
}

const isCheck = process.argv.includes('--check')
let isStale = false
for (const [name, render] of Object.entries(pages)) {
  const path = join(root, name)
  const text = readFileSync(path, 'utf8')
  const filled = fillPart(text, render(), name)
  if (filled === text) continue
  if (isCheck) console.error(`${name} is out of date; npm run docs writes it anew`)
  else writeFileSync(path, filled)
  isStale = true
}
if (isCheck && isStale) process.exitCode = 1
else console.log(isStale ? 'written' : `${Object.keys(pages).length} pages are up to date`)
