/** Colours follow the reader's light or dark setting. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f7f7f5; --card: #ffffff; --ink: #1b1d22; --soft: #5c616b; --line: #e2e4e8; --grey: #c3c7ce;
  --c0: #0b62c4; --c1: #d9480f; --c2: #2b8a3e; --c3: #9c36b5; --c4: #0c8599; --c5: #c2255c; --c6: #a07400; --c7: #495057;
  --layer-head: #8a909b; --layer-summary: #7c5cdb; --layer-pins: #d9a400; --layer-shortened: #c9ced6;
  --layer-user: #2f7fd6; --layer-assistant: #3f9b54; --layer-tool: #e2843b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131519; --card: #1b1e24; --ink: #e9eaed; --soft: #a2a8b3; --line: #30353f; --grey: #4a505c;
    --c0: #5aa9ff; --c1: #ff8a4c; --c2: #69c97a; --c3: #d79bf0; --c4: #4cc9da; --c5: #ff7aa8; --c6: #e5be45; --c7: #ced4da;
    --layer-head: #7d838f; --layer-summary: #9a80ee; --layer-pins: #e5be45; --layer-shortened: #4a505c;
    --layer-user: #5aa9ff; --layer-assistant: #5cb56d; --layer-tool: #f09a58;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 24px; margin: 0 0 4px; }
h2 { font-size: 18px; margin: 36px 0 2px; }
p { margin: 2px 0 10px; color: var(--soft); max-width: 76ch; }
.verdict { color: var(--ink); font-size: 16px; margin: 10px 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px; overflow: hidden; }
section.wide { overflow-x: auto; padding: 0; }
svg { display: block; max-width: 100%; touch-action: pan-y; }
svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
svg text.strong { fill: var(--ink); font-weight: 600; }
svg text.name { paint-order: stroke; stroke: var(--card); stroke-width: 4px; }
svg text.mark { font-size: 13px; paint-order: stroke; stroke: var(--card); stroke-width: 2px; }
.axis { stroke: var(--line); }
.line { fill: none; stroke-linejoin: round; }
.window { stroke: var(--soft); stroke-dasharray: 4 4; }
.cursor { stroke: var(--ink); stroke-width: 1; }
.legend { display: flex; flex-wrap: wrap; gap: 6px; padding: 8px 0; position: sticky; top: 0; background: var(--paper); z-index: 2; }
.legend button { display: inline-flex; gap: 6px; align-items: center; border: 1px solid var(--line); border-radius: 14px; background: var(--card); color: var(--ink); font: inherit; font-size: 13px; padding: 3px 10px; cursor: pointer; }
.legend button[aria-pressed="false"] { color: var(--soft); background: none; }
button:focus-visible, select:focus-visible, input:focus-visible { outline: 2px solid var(--c0); outline-offset: 1px; }
.swatch { width: 10px; height: 10px; border-radius: 3px; display: inline-block; margin-right: 4px; vertical-align: -0.5px; }
.legend .swatch { margin-right: 0; }
select { font: inherit; font-size: 14px; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 3px 6px; max-width: min(28rem, 70vw); }
input[type="range"] { width: 100%; margin: 6px 0; accent-color: var(--c0); }
label { color: var(--soft); font-size: 14px; }
output { display: flex; flex-wrap: wrap; gap: 2px 14px; min-height: 1.6em; font-size: 13px; padding-top: 4px; font-variant-numeric: tabular-nums; }
output.moment { min-height: 8.5em; align-content: flex-start; }
.window-bar { display: flex; width: 100%; height: 18px; border-radius: 4px; overflow: hidden; background: var(--line); margin: 4px 0; }
.event { width: 100%; color: var(--soft); }
table { border-collapse: collapse; font-size: 13px; width: 100%; font-variant-numeric: tabular-nums; }
td, th { text-align: left; padding: 5px 10px; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; white-space: nowrap; }
tr:last-child > * { border-bottom: 0; }
tr:first-child th { color: var(--soft); }
th[scope="row"], th:first-child { position: sticky; left: 0; background: var(--card); font-weight: 600; }
.policies td:nth-last-child(-n+2) { white-space: normal; min-width: 13rem; overflow-wrap: anywhere; }
.bar { display: inline-flex; width: 44px; height: 9px; border-radius: 3px; overflow: hidden; background: var(--line); margin-right: 6px; }
@media (max-width: 600px) {
  main { padding: 16px 8px 48px; }
  section { padding: 8px; }
  .legend { position: static; }
  td, th { padding: 5px 7px; }
}
`
