# weft.plot.style: how pages look.
"""The style of pages: dark on light, for windows from 320 pixels on."""

STYLE = """:root { --ink: #1b2430; --soft: #55616e; --line: #e3e7ec; color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: var(--ink);
  font: 16px/1.5 Inter, system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1160px; margin: 0 auto; padding: 24px 16px 40px; }
h1 { font-size: clamp(1.3rem, 3.4vw, 1.8rem); line-height: 1.2; margin: 0 0 6px; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 4px; overflow-wrap: anywhere; }
p { margin: 0 0 10px; overflow-wrap: anywhere; }
section { margin-top: 26px; min-width: 0; }
.soft { color: var(--soft); font-size: .92rem; }
div > svg { display: block; width: 100%; height: auto; overflow: visible; }
.narrow { display: none; max-width: 520px; }
@media (max-width: 720px) { .wide { display: none; } .narrow { display: block; } }
svg text { fill: var(--ink); font-size: 13px; }
svg text.tick { fill: var(--soft); font-size: 12px; }
svg text.name { fill: var(--soft); font-size: 13px; }
svg text.light { fill: #fff; }
.grid { stroke: var(--line); }
.axis { stroke: #9aa5b1; }
.ideal { stroke: #8a949f; stroke-dasharray: 5 4; fill: none; }
.curve { fill: none; stroke-width: 2.2; stroke-linejoin: round; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; margin: 6px 0 10px; min-width: min(100%, 420px); }
th { text-align: left; color: var(--soft); font-weight: 500; font-size: .84rem; vertical-align: bottom; }
th, td { padding: 5px 16px 5px 0; border-bottom: 1px solid var(--line); }
td:not(.number) { min-width: 8.5em; }
td:last-child:not(.number, :first-child) { min-width: 18em; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.legend { font-size: .9rem; color: var(--soft); margin: 6px 0 4px; }
.legend span { display: inline-block; margin-right: 16px; overflow-wrap: anywhere; }
.legend i { display: inline-block; width: 12px; height: 12px; margin-right: 6px; vertical-align: -1px;
  box-shadow: inset 0 0 0 1px rgba(0, 0, 0, .12); }
"""
