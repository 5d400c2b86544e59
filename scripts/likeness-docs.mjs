// Updates the tables of docs/likeness.md from the reports of the trainer, between the comments that name them.
// node scripts/likeness-docs.mjs [--check]    only check whether they are up to date
import { readFileSync } from 'node:fs';
import { writeOrCheck } from './page.mjs';

const PAGE = 'docs/likeness.md';

const report = (name) => JSON.parse(readFileSync(`docs/likeness-${name}.json`, 'utf8'));
const reports = { asked: report('asked'), planted: report('planted') };

const exact = (share) => share.toFixed(2);
const table = (head, rows) =>
  [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const blocked = (lines, first) =>
  table(
    [first, 'rows', 'signatures', 'model alone', 'together'],
    lines.map(({ corpus, rows, signatures, likeness, together }) =>
      [corpus, rows].concat([signatures, likeness, together].map(exact)),
    ),
  );

const TABLES = Object.fromEntries(
  Object.entries(reports).flatMap(([name, { blockedPercent, leftOutPercent }]) => [
    [`${name} attacks`, blocked(blockedPercent.attacks, 'attacks')],
    [`${name} honest`, blocked(blockedPercent.honest, 'honest text')],
    [
      `${name} left out`,
      blocked(
        [...leftOutPercent.sources, { corpus: 'mean over single sources', rows: '', ...leftOutPercent.macro }],
        'left out',
      ),
    ],
  ]),
);

const page = readFileSync(PAGE, 'utf8');
const made = page.replace(/(<!-- table: ([\w ]+) -->\n)[^]*?(<!-- end -->)/g, (whole, begin, name, end) => {
  if (TABLES[name] === undefined) throw new Error(`${PAGE} asks for the table "${name}", which is none`);
  return `${begin}\n${TABLES[name]}\n\n${end}`;
});

writeOrCheck('likeness-docs', { [PAGE]: made });
