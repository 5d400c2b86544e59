/**
 * The report of all measurements as one page without scripts or external resources. It shows only what a record
 * contains, and says which parts have not been run.
 */
import { escaped } from '../src/eval/escaped.ts';
import { budgetsHeld, budgetsTable, timesOf, type Held } from './budgets.ts';
import { detectTable } from './detect.ts';
import { raceTable } from './proxy.ts';
import { CHARTS, type Section } from './report-sections.ts';
import type { Kept, PartName, Records, ResultsOf } from './records.ts';
import { scaleTable } from './scale-table.ts';
import { scanTable } from './scan.ts';
import { streamTable } from './stream.ts';

const PARTS: readonly PartName[] = ['proxy', 'peers', 'stream', 'scan', 'scale', 'detect'];

const TABLES = {
  proxy: raceTable,
  peers: raceTable,
  stream: streamTable,
  scan: scanTable,
  scale: scaleTable,
  detect: detectTable,
} as Readonly<Record<PartName, (results: never) => string>>;

/** The table of a record. An older record may lack data that the table needs; then a note is shown instead. */
function tableOf(record: Kept<ResultsOf[PartName]>): string {
  try {
    return TABLES[record.part](record.results as never);
  } catch {
    return `This record of ${record.at.slice(0, 10)} was made by an earlier version; its figures are in its file.`;
  }
}

export function reportMarkdown(records: Records): string {
  const parts = PARTS.map((part) => {
    const record = records[part];
    return `## ${part}\n\n${record === undefined ? notMeasured(part) : `${provenance(record)}\n\n${tableOf(record)}`}`;
  });
  return `# What was measured\n\n${budgetsTable(budgetsHeld(records))}\n\n${parts.join('\n\n')}\n`;
}

export function reportPage(records: Records): string {
  const cards = CHARTS.map((section) => card(section, records));
  const machines = [
    ...new Set(PARTS.flatMap((part) => (records[part] === undefined ? [] : [machineOf(records[part])]))),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>guard: what was measured</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>What was measured</h1>
<p>${machines.map(escaped).join('<br>') || 'Nothing yet.'}</p>
<p>Figures are comparable within one run and not between runs: read the ratios. A ratio is taken within each round, between two that ran one
after the other, and the median of the rounds is shown. So it is not the quotient of the two medians that stand beside it.</p></header>
<main>
<section class="wide"><h2>What was promised</h2>${budgets(budgetsHeld(records))}</section>
${cards.join('\n')}
<section class="wide"><h2>All figures</h2>${PARTS.map((part) => figures(part, records)).join('\n')}</section>
</main>
</body>
</html>
`;
}

function card({ title, says, part, draw }: Section, records: Records): string {
  const record = records[part];
  const chart = record === undefined ? null : draw(records, title);
  const shown =
    chart === null
      ? `<p class="absent">${escaped(notMeasured(part))}</p>`
      : `${chart}<p class="from">${escaped(provenance(record!))}</p>`;
  return `<section id="${title.toLowerCase().replace(/[^a-z]+/g, '-')}"><h2>${escaped(title)}</h2><p>${escaped(says)}</p>${shown}</section>`;
}

function budgets(rows: readonly Held[]): string {
  const cells = rows.map(
    ({ work, part, bar, value, rounds, from, ofBar, verdict }) =>
      `<tr class="${verdict.replaceAll(' ', '-')}"><td>${escaped(work)}</td><td>${escaped(bar)}</td>` +
      `<td>${escaped(value)}<small>${[rounds === '' ? '' : `rounds ${rounds}`, from].filter(Boolean).map(escaped).join('<br>')}</small></td>` +
      `<td>${gauge(ofBar)}</td><td>${escaped(verdict === 'not measured' ? `not measured: ${part}` : verdict)}</td></tr>`,
  );
  return `<div class="scroll"><table><thead><tr><th>work</th><th>bar</th><th>measured</th><th>of the bar</th><th>verdict</th></tr></thead><tbody>${cells.join('')}</tbody></table></div>`;
}

/** How far a gauge reaches, in multiples of the bar. What is beyond is said beside it. */
const GAUGE_MOST = 3;

/** The measured value as a multiple of the bar, which is the line. */
function gauge(ofBar: number | null): string {
  if (ofBar === null) return '';
  const width = ((100 * Math.min(ofBar, GAUGE_MOST)) / GAUGE_MOST).toFixed(1);
  return `<div class="gauge"><i style="width:${width}%"></i></div><small>${escaped(timesOf(ofBar))}</small>`;
}

function figures(part: PartName, records: Records): string {
  const record = records[part];
  if (record === undefined) return `<p class="absent">${escaped(notMeasured(part))}</p>`;
  return `<details><summary>${escaped(part)}</summary><p class="from">${escaped(provenance(record))}</p><pre>${escaped(tableOf(record))}</pre></details>`;
}

function notMeasured(part: PartName): string {
  return `Not measured: there is no record of it. npm run bench -- ${part}`;
}

function provenance(record: Pick<Kept<unknown>, 'part' | 'at' | 'machine'>): string {
  return `${record.part}, ${record.at.slice(0, 10)}, ${machineOf(record)}, load before ${record.machine.load}`;
}

function machineOf({ machine }: Pick<Kept<unknown>, 'machine'>): string {
  return `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`;
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1f2937;--soft:#5b6472;--paper:#f6f7f9;--card:#fff;--rule:#dde1e7;--c0:#2563eb;--c1:#b45309;--c2:#15803d;--c3:#9333ea;--c4:#be123c;--c5:#7b8494;--bad:#b91c1c;--good:#15803d}
@media (prefers-color-scheme:dark){:root{--ink:#e5e7eb;--soft:#a2abb8;--paper:#111418;--card:#1a1e24;--rule:#323842;--c0:#60a5fa;--c1:#f59e0b;--c2:#4ade80;--c3:#c084fc;--c4:#fb7185;--c5:#8b95a5;--bad:#f87171;--good:#4ade80}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1180px;padding:16px;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
h1{font-size:24px;margin:8px 0}h2{font-size:17px;margin:0 0 4px}p{margin:4px 0 12px;color:var(--soft)}
main{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));gap:16px;align-items:start}
section{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:16px;min-width:0}
.wide{grid-column:1/-1}
svg{display:block;width:100%;height:auto;font:13px system-ui,sans-serif;fill:var(--ink)}
.figure,.axis{font-variant-numeric:tabular-nums}.axis{fill:var(--soft);font-size:12px}
.against{stroke:var(--ink);stroke-width:1.5;fill:none}.gauge{position:relative;width:120px;height:8px;margin:7px 0 0;border-radius:2px;background:var(--rule)}.gauge i{display:block;height:100%;border-radius:2px;background:var(--bad)}.holds .gauge i{background:var(--good)}.gauge::after{content:'';position:absolute;left:33.33%;top:-3px;bottom:-3px;border-left:2px solid var(--ink)}
.grid{stroke:var(--rule);fill:none}.spread{stroke:var(--ink);fill:none;opacity:.55}
.line{fill:none;stroke-width:2}.line.c0{stroke:var(--c0)}.line.c1{stroke:var(--c1)}.line.c2{stroke:var(--c2)}.line.c3{stroke:var(--c3)}.line.c4{stroke:var(--c4)}.line.c5{stroke:var(--c5)}
.dot.c0,.bar.c0{fill:var(--c0)}.dot.c1{fill:var(--c1)}.dot.c2{fill:var(--c2)}.dot.c3{fill:var(--c3)}.dot.c4{fill:var(--c4)}.dot.c5,.bar.c5{fill:var(--c5)}
.from{font-size:12px;margin:8px 0 0}.absent{font-style:italic}
.scroll,pre{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;padding:6px 10px 6px 0;border-top:1px solid var(--rule);vertical-align:top}th{border:0;color:var(--soft);font-weight:600}
td small{display:block;color:var(--soft)}.does-not-hold td:last-child{color:var(--bad);font-weight:600}.holds td:last-child{color:var(--good)}.not-measured td:last-child{color:var(--soft)}
@media (max-width:640px){svg{font-size:15px}.axis{font-size:14px}thead{display:none}tr{display:grid;grid-template-columns:1fr auto;gap:0 12px;border-top:1px solid var(--rule);padding:8px 0}td{border:0;padding:2px 0}td:first-child{grid-column:1/-1;font-weight:600}td:nth-child(2){color:var(--soft)}td:nth-child(3){text-align:right}td:nth-child(5){text-align:right}}
pre{font-size:12px;margin:8px 0}summary{cursor:pointer;padding:4px 0;font-weight:600}
`.trim();
