import { readFileSync } from 'node:fs'
import type { ReplayReport } from '../../run/replay.ts'
import { createPageData } from './page-data.ts'
import { PAGE_STYLE } from './page-style.ts'

/**
 * One page that needs nothing else: no network, no fonts, no libraries. Transcripts are written by others: their words
 * stand in a data block that no browser runs or reads as HTML, and the page's policy lets nothing be loaded.
 */
export function createPage(report: ReplayReport): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>Longhaul replay</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main id="page"><noscript>This page draws its plots with a script of its own; nothing is loaded from elsewhere.</noscript></main>
<script type="application/json" id="data">${escapeData(JSON.stringify(createPageData(report)))}</script>
<script type="module">${createPageScript()}</script>
</body>
</html>
`
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
