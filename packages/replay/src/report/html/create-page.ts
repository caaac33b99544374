import { readFileSync } from 'node:fs'
import type { ReplayReport } from '../../run/replay.ts'
import { createDocument } from './create-document.ts'
import { createPageData } from './page-data.ts'
import { PAGE_STYLE } from './page-style.ts'

/**
 * One page that needs nothing else: no network, no fonts, no libraries. Transcripts are written by others: their words
 * stand in a data block that no browser runs or reads as HTML, and the page's policy lets nothing be loaded.
 */
export function createPage(report: ReplayReport): string {
  return createDocument({
    title: 'Longhaul replay',
    style: PAGE_STYLE,
    hasScript: true,
    body: `<main id="page"><noscript>This page draws its plots with a script of its own; nothing is loaded from elsewhere.</noscript></main>
<script type="application/json" id="data">${escapeData(JSON.stringify(createPageData(report)))}</script>
<script type="module">${createPageScript()}</script>`,
  })
}

/** Inside a script element only `<` can begin something else; the two separators end lines in older scripts. */
function escapeData(json: string): string {
  return json
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
}

/** In the order in which they need each other. No two of them may declare the same name. */
const MODULES = ['dom.js', 'frame.js', 'series.js', 'frontier.js', 'kinds.js', 'layers.js', 'main.js']

/** The modules of the page as one script: a page in one file has nothing to import from. */
function createPageScript(): string {
  return MODULES.map((name) => readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8'))
    .map((text) => text.replaceAll(/^import [^']*'[^']+'\n/gm, '').replaceAll(/^export /gm, ''))
    .join('\n')
}
