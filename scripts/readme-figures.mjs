// Writes the figures of README.md anew from the newest records in bench/results, between the comments that enclose them.
//   node scripts/readme-figures.mjs [--check]    only say whether they are what it would write
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeOrCheck } from './page.mjs';

const PAGE = 'README.md';
const BEGIN = '<!-- figures -->\n';
const END = '<!-- end of figures -->';

const out = process.env.GUARD_BUILD_OUT ?? 'dist';
const built = (file) => import(pathToFileURL(resolve(out, file)).href);
const { readRecords } = await built('bench/records.js');
const { FLAGGED_BY_PEERS, FOUND_BY_PEERS, PEERS } = await built('bench/detect-peers.js');

const { detect, proxy, peers } = readRecords('bench/results');
const asked = JSON.parse(readFileSync('docs/likeness-asked.json', 'utf8'));

const { corpora, groups } = detect.results;
const requests = corpora.filter(({ direction }) => direction === 'request');
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share, digits = 1) => `${share.toFixed(digits)} %`;

const attacked = requests.filter(({ name, attacks }) => attacks > 0 && name in FOUND_BY_PEERS);
const found = mean(attacked.map(({ attacks, blockedAttacks }) => (100 * blockedAttacks) / attacks));
const foundByPeers = PEERS.map((_, peer) => mean(attacked.map(({ name }) => FOUND_BY_PEERS[name][peer])));

const pool = groups.find(({ name }) => name === 'ordinary pool');
const ordinary = requests.filter(({ name }) => name.startsWith('bn_') && name !== 'bn_security_prose');
const flaggedByPeers = PEERS.map(
  (_, peer) =>
    ordinary.reduce((sum, { name, benign }) => sum + benign * FLAGGED_BY_PEERS[name][peer], 0) /
    ordinary.reduce((sum, { benign }) => sum + benign, 0),
);
const prose = requests.find(({ name }) => name === 'bn_security_prose');

const spread = (values, digits = 1) =>
  `${Math.min(...values).toFixed(digits)} to ${percent(Math.max(...values), digits)}`;
const row = ({ results }, name) => results.rows.find((each) => each.name === name);
const scanned = row(proxy, 'guard-scanned');
const bare = row(proxy, 'bare-http-proxy');
const beside = row(peers, 'guard-scanned');
const portkey = row(peers, 'portkey-guardrail');
const times = (one, other) => `${(one / other).toFixed(1)} times`;
const added = (name) => (scanned.latency[name].median - bare.latency[name].median).toFixed(2);

const table = (rows) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const figures = `${table([
  ['what it finds', 'guard', 'six open rule sets'],
  ['---', '---:', '---:'],
  [`attacks blocked, mean of ${attacked.length} public corpora`, percent(found), spread(foundByPeers)],
  ['of a source that was left out of the training', percent(asked.leftOutPercent.macro.together), ''],
  [
    `ordinary texts blocked, of ${pool.benign}`,
    percent((100 * pool.blockedBenign) / pool.benign, 2),
    spread(flaggedByPeers),
  ],
  [
    `texts about security blocked, of ${prose.benign}`,
    percent((100 * prose.blockedBenign) / prose.benign, 2),
    spread(FLAGGED_BY_PEERS.bn_security_prose),
  ],
])}

${table([
  ['what it costs, a chat call of 2 KB', 'guard', 'beside it in the same run'],
  ['---', '---:', '---:'],
  [
    'CPU of a call that is scanned',
    `${scanned.cpu.median.toFixed(0)} us`,
    `bare http-proxy ${bare.cpu.median.toFixed(0)} us`,
  ],
  [
    'the same in another run',
    `${beside.cpu.median.toFixed(0)} us`,
    `Portkey with one regex guardrail ${portkey.cpu.median.toFixed(0)} us: ${times(portkey.cpu.median, beside.cpu.median)} as much`,
  ],
  ['added latency, median and 99th percentile', `${added('p50')} and ${added('p99')} ms`, 'at 200 calls a second'],
])}
`;

const page = readFileSync(PAGE, 'utf8');
const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
if (from === -1 || to < from) throw new Error(`${PAGE} has no place for the figures: ${BEGIN.trim()} ... ${END}`);
const made = `${page.slice(0, from + BEGIN.length)}\n${figures}\n${page.slice(to)}`;

writeOrCheck('readme-figures', { [PAGE]: made });
