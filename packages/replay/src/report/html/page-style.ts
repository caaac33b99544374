/** Colours follow the reader's light or dark setting. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --paper: #fcfcfa; --ink: #1d1f24; --soft: #5d626d; --line: #d9dbe0; --card: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14161a; --ink: #e8e9ec; --soft: #9aa0ac; --line: #333842; --card: #1b1e24; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 24px; margin: 0 0 4px; }
h2 { font-size: 17px; margin: 32px 0 2px; }
p { margin: 2px 0 8px; color: var(--soft); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px; overflow-x: auto; }
svg { display: block; width: 100%; height: auto; min-width: 640px; }
svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
svg text.strong { fill: var(--ink); font-weight: 600; }
.axis { stroke: var(--line); stroke-width: 1; }
.window { stroke: var(--soft); stroke-dasharray: 4 4; }
.legend { display: flex; flex-wrap: wrap; gap: 6px; margin: 12px 0; position: sticky; top: 0; background: var(--paper); padding: 6px 0; z-index: 1; }
.legend button { display: inline-flex; gap: 6px; align-items: center; border: 1px solid var(--line); border-radius: 14px; background: var(--card); color: var(--ink); font: inherit; font-size: 13px; padding: 2px 10px; cursor: pointer; }
.legend button[aria-pressed="false"] { opacity: 0.4; }
.swatch { width: 10px; height: 10px; border-radius: 5px; display: inline-block; }
select, input[type="range"] { font: inherit; accent-color: currentColor; }
input[type="range"] { width: 100%; }
label { color: var(--soft); font-size: 13px; }
output { display: block; min-height: 3em; font-size: 13px; padding: 4px 2px; white-space: pre-wrap; }
table { border-collapse: collapse; font-size: 13px; width: 100%; }
td, th { text-align: left; padding: 3px 8px; border-bottom: 1px solid var(--line); vertical-align: top; }
`
