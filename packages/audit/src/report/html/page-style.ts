import { PAGE_STYLE } from '@longhaul/replay'

/** On top of the style that pages of reports share. */
export const AUDIT_STYLE = `${PAGE_STYLE}
:root { --before: var(--c0); --lost: var(--c1); --with: var(--c2); --again: #b85c00; }
@media (prefers-color-scheme: dark) { :root { --again: #ffb066; } }
h3 { font-size: 15px; margin: 14px 0 2px; }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; color: var(--ink); }
.lead { color: var(--ink); font-size: 18px; line-height: 1.5; max-width: 68ch; margin: 12px 0 16px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 10px; margin: 0; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 10px 14px; }
.figures dt { color: var(--soft); font-size: 13px; }
.figures dd { margin: 0; font-size: 26px; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
.figures .bad dd { color: var(--lost); }
.figures small { font-size: 13px; font-weight: 400; color: var(--soft); letter-spacing: 0; }
section + section { margin-top: 10px; }
section > :first-child { margin-top: 0; }
.plot { width: 100%; display: block; overflow: visible; }
.plot .rise { fill: none; stroke: var(--before); stroke-width: 2; vector-effect: non-scaling-stroke; }
.plot .fill { fill: var(--before); opacity: 0.12; }
.plot .drop { stroke: var(--lost); stroke-width: 1.5; stroke-dasharray: 3 3; }
.plot .dot { fill: var(--lost); }
.bars { display: grid; gap: 8px; margin: 4px 0; }
.bars p { margin: 0; color: var(--ink); font-size: 14px; display: flex; justify-content: space-between; gap: 12px; max-width: none; }
.bars span { color: var(--soft); font-variant-numeric: tabular-nums; }
.key { font-size: 13px; display: flex; flex-wrap: wrap; gap: 2px 14px; }
.losses { list-style: none; margin: 0; padding: 0; display: grid; gap: 10px; }
.losses li { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--lost); border-radius: 10px; padding: 10px 14px; overflow-wrap: anywhere; }
.losses b { font-size: 16px; }
.losses p { margin: 6px 0 0; font-size: 14px; max-width: none; }
.losses q { color: var(--ink); }
td.number, th.number { text-align: right; }
.group { text-align: center; border-left: 1px solid var(--line); }
.first { border-left: 1px solid var(--line); }
thead th, thead th.first, thead th:first-child { color: var(--soft); font-weight: 400; vertical-align: bottom; }
tbody tr:first-child th[scope="row"] { color: var(--ink); }
th.first { position: static; }
table th { white-space: nowrap; }
ul.plain { padding-left: 18px; margin: 6px 0; }
ul.plain li { margin: 4px 0; overflow-wrap: anywhere; }
footer { margin-top: 40px; border-top: 1px solid var(--line); padding-top: 12px; font-size: 14px; }
`
