/**
 * Recall and false alarms of the sensitive-data signatures, as in responses, on labelled text:
 * `node .../bench/sensitive-eval.js FOLDER [--only CORPUS]`. FOLDER holds JSONL files of { text, label, subtype }; rows labelled
 * `sensitive-data` should be found, all others spared. No text is printed: some rows are secrets that once leaked.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import minimist from 'minimist';
import { compile } from '../src/detect/ruleset.ts';
import { scan } from '../src/detect/scan.ts';
import { scores } from '../src/domain/score.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';

interface Count {
  rows: number;
  found: number;
  blocked: number;
}

const flags = minimist(process.argv.slice(2), { string: ['only'] });
const folder = flags._[0];
if (folder === undefined) throw new Error('usage: sensitive-eval FOLDER [--only CORPUS]');
const BLOCKING = 0.5;

const compiled = compile(
  loadSignatures().signatures.filter(({ category }) => category === 'sensitive-data'),
  DECODERS,
);
if ('problems' in compiled)
  throw new Error(compiled.problems.map(({ path, message }) => `${path} ${message}`).join('\n'));
console.log(`${compiled.ruleset.count} signatures\n`);
const perSignature = new Map<string, { sensitive: number; other: number }>();

/** `secret/core/...`, `pii/IBAN_CODE,PERSON`: of personal data only the kinds that are numbers or addresses. */
function kindOf(subtype: string): string {
  const [part = '', rest = ''] = subtype.split('/');
  if (part !== 'pii') return `${part}/${rest}`;
  return `${part}/${rest.split(',').find((kind) => /CARD|SSN|IBAN|PHONE|EMAIL|IP_|LICENSE/.test(kind)) ?? 'other'}`;
}

const share = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`.padStart(8);

for (const file of readdirSync(folder).sort()) {
  const corpus = file.replace(/\.jsonl$/, '');
  if (corpus === file || (flags['only'] !== undefined && flags['only'] !== corpus)) continue;
  const kinds = new Map<string, Count>();
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
    if (line === '') continue;
    const { text, label, subtype } = JSON.parse(line) as { text: string; label: string; subtype: string };
    const passage = { text, role: 'assistant' as const, where: 'text', message: 0 };
    const scanned = scan(compiled.ruleset, [passage], { direction: 'response' });
    const found =
      scanned.kind === 'findings' ? scanned.findings.filter(({ category }) => category === 'sensitive-data') : [];
    const isSensitive = label === 'sensitive-data';
    const kind = isSensitive ? `find  ${kindOf(subtype)}` : 'spare';
    const count = kinds.get(kind) ?? { rows: 0, found: 0, blocked: 0 };
    kinds.set(kind, count);
    count.rows += 1;
    if (found.length > 0) count.found += 1;
    if (scores(found).some(({ score }) => score >= BLOCKING)) count.blocked += 1;
    for (const { signature } of found) {
      const hits = perSignature.get(signature) ?? { sensitive: 0, other: 0 };
      hits[isSensitive ? 'sensitive' : 'other'] += 1;
      perSignature.set(signature, hits);
    }
  }
  for (const [kind, { rows, found, blocked }] of [...kinds].sort()) {
    const line = `${corpus.padEnd(20)} ${kind.padEnd(28)} ${String(rows).padStart(5)}`;
    console.log(`${line}  found ${share(found, rows)}  blocked ${share(blocked, rows)} (${blocked})`);
  }
}
console.log('\nsignature: rows to find that it hit, rows to spare that it hit');
for (const [signature, { sensitive, other }] of [...perSignature].sort(
  (a, b) => b[1].other - a[1].other || b[1].sensitive - a[1].sensitive,
))
  console.log(`${signature.padEnd(44)} ${String(sensitive).padStart(5)} ${String(other).padStart(5)}`);
