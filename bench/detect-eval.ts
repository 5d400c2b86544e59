/**
 * Recall and false positives on labelled text: `node .../bench/detect-eval.js FOLDER [--eval] [--misses CORPUS] [--hits SIGNATURE]`.
 * FOLDER holds JSONL files of { text, label }. Files that the folder's INDEX.md marks `eval` are only read when asked for:
 * they measure, they never shape a signature. Texts are printed only to the terminal of whoever asks for misses or hits.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import minimist from 'minimist';
import { compile } from '../src/detect/ruleset.ts';
import { scan } from '../src/detect/scan.ts';
import { scores } from '../src/domain/score.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';

const flags = minimist(process.argv.slice(2), { boolean: ['eval'], string: ['misses', 'hits', 'only'] });
const folder = flags._[0];
if (folder === undefined) throw new Error('usage: detect-eval FOLDER [--eval] [--misses CORPUS] [--hits SIGNATURE]');
const BLOCKING = 0.5;
const IN_SCOPE = new Set(['prompt-injection', 'jailbreak', 'encoding-evasion']);

const { signatures, problems } = loadSignatures();
for (const { file, line, column, path, message } of problems)
  console.error(`${file}:${line}:${column} ${path}: ${message}`);
const compiled = compile(signatures, DECODERS);
if ('problems' in compiled) {
  for (const { file, line, path, message } of compiled.problems) console.error(`${file}:${line} ${path}: ${message}`);
  process.exit(1);
}
const { ruleset } = compiled;

const index = join(folder, 'INDEX.md');
const measured = new Set(
  existsSync(index) ? [...readFileSync(index, 'utf8').matchAll(/^\| `(\w+)` \| eval/gm)].map((row) => row[1]) : [],
);
const perSignature = new Map<string, { attacks: number; benign: number; alone: number }>();

for (const file of readdirSync(folder).sort()) {
  const corpus = file.replace(/\.jsonl$/, '');
  if (corpus === file || corpus.startsWith('sd_') || (flags['only'] !== undefined && flags['only'] !== corpus))
    continue;
  if (measured.has(corpus) && !flags['eval']) continue;
  const count = { attacks: 0, found: 0, warned: 0, benign: 0, blocked: 0, chars: 0, refused: 0 };
  const begin = process.cpuUsage();
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
    if (line === '') continue;
    const { id, text, label } = JSON.parse(line) as { id: string; text: string; label: string };
    const attack = IN_SCOPE.has(label);
    count.chars += text.length;
    const scanned = scan(ruleset, [{ text, role: 'user', where: 'text', message: 0 }]);
    if (scanned.kind !== 'findings') {
      count.refused += 1;
      if (flags['misses'] === corpus) console.log(`REFUSED ${scanned.kind} ${id}`);
    }
    const findings = scanned.kind === 'findings' ? scanned.findings : [];
    const strong = scores(findings).filter(({ score }) => score >= BLOCKING);
    const blocked = strong.some(({ category }) => category !== 'encoding-evasion');
    count[attack ? 'attacks' : 'benign'] += 1;
    if (attack) count.found += strong.length > 0 ? 1 : 0;
    else count.blocked += blocked ? 1 : 0;
    if (!attack && !blocked && strong.length > 0) count.warned += 1;
    for (const { signature } of findings) {
      const entry = perSignature.get(signature) ?? { attacks: 0, benign: 0, alone: 0 };
      entry[attack ? 'attacks' : 'benign'] += 1;
      if (attack && findings.length === 1) entry.alone += 1;
      perSignature.set(signature, entry);
    }
    const names = findings.map((finding) => `${finding.signature}(${finding.confidence})`).join(' ');
    if (flags['misses'] === corpus && attack && strong.length === 0) console.log(`MISS ${id} ${names}\n${text}\n`);
    if (flags['misses'] === corpus && !attack && strong.length > 0) console.log(`FALSE ${id} ${names}\n${text}\n`);
    if (flags['hits'] !== undefined && !attack && findings.some(({ signature }) => signature === flags['hits']))
      console.log(`HIT ${id} ${names}\n${text.slice(0, 1500)}\n`);
  }
  const { user } = process.cpuUsage(begin);
  console.log(
    `${corpus.padEnd(20)} recall ${String(count.found).padStart(5)}/${String(count.attacks).padEnd(5)} ` +
      `${share(count.found, count.attacks).padStart(8)}  blocked ${String(count.blocked).padStart(3)}/${String(count.benign).padEnd(5)} ` +
      `${share(count.blocked, count.benign).padStart(7)} evasion-only ${count.warned} refused ${count.refused}  ` +
      `${(count.chars / 1e6 / (user / 1e6)).toFixed(1)} MB/s`,
  );
}
console.log('\nsignature: hits in attacks, of them as the only finding, hits in benign text');
for (const [signature, hits] of [...perSignature].sort(
  (a, b) => b[1].benign - a[1].benign || b[1].attacks - a[1].attacks,
))
  console.log(
    `${signature.padEnd(44)} ${String(hits.attacks).padStart(5)} ${String(hits.alone).padStart(5)} ${String(hits.benign).padStart(5)}`,
  );

function share(part: number, all: number): string {
  return all === 0 ? '' : `${((100 * part) / all).toFixed(2)} %`;
}
