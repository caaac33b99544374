import { readFileSync } from 'node:fs'

/** In the order in which they need each other. No two of them may declare the same name. */
const MODULES = ['dom.js', 'frame.js', 'series.js', 'frontier.js', 'kinds.js', 'layers.js', 'main.js']

/** The modules of the page as one script: a page in one file has nothing to import from. */
export function createPageScript(): string {
  return MODULES.map((name) => readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8'))
    .map((text) => text.replaceAll(/^import [^']*'[^']+'\n/gm, '').replaceAll(/^export /gm, ''))
    .join('\n')
}
