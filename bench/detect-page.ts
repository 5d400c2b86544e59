/** Generates docs/detection.md from a record of `npm run bench -- detect`. No figure in it is written by hand. */
import { chart } from '../src/eval/chart.ts';
import type { LeftOut } from '../src/eval/confidences.ts';
import type { Point } from '../src/eval/curve.ts';
import { leftOutMean, leftOutRows } from '../src/eval/report.ts';
import type { CorpusSummary, Summary } from '../src/eval/summary.ts';
import { markdown } from '../src/eval/markdown.ts';
import { percent } from '../src/eval/table.ts';
import { shareOf, type Tally } from '../src/eval/tally.ts';
import { flaggedTable, foundTable, type DetectResults } from './detect.ts';
import type { Machine } from './record.ts';

export interface DetectRecord {
  readonly at: string;
  readonly machine: Machine;
  readonly results: DetectResults;
}

/**
 * The training report of one model: results on rows that it has not seen, and with each source of attacks left out
 * once.
 */
export interface Report {
  readonly blockedPercent: {
    readonly attacks: readonly Line[];
    readonly honest: readonly Line[];
  };
  readonly leftOutPercent: {
    readonly allowedFalsePositives: number;
    readonly sources: readonly (Shares & {
      readonly corpus: string;
      readonly rows: number;
      readonly falsePositives: number;
    })[];
    readonly macro: Shares;
  };
}

/** The reports of both models (docs/likeness-*.json), if they exist. */
export interface Retrained {
  readonly asked: Report;
  readonly planted: Report;
}

interface Line extends Shares {
  readonly corpus: string;
  readonly rows: number;
}

interface Shares {
  readonly signatures: number;
  readonly likeness: number;
  readonly together: number;
}

export const DIAL_FILE = 'detection-dial.svg';

export function dialOf({ results }: DetectRecord): string {
  return chart(results.dial.request, results.sensitivity, 'Recall and false positives over policy.sensitivity');
}

export function detectionPage(record: DetectRecord, retrained: Retrained | null): string {
  const { results } = record;
  const sections = [
    howMeasuredSection(record),
    caughtSection(results),
    surroundedSection(results),
    conversationsSection(results),
    agentsSection(retrained),
    filesSection(retrained),
    plantedSection(retrained),
    dialSection(results),
    missedSection(results),
    unseenSection(results, retrained),
    sensitiveSection(results),
    signaturesSection(results),
    floorsSection(),
  ].filter((section) => section !== '');
  return `${[pageHead(sections), ...sections].join('\n\n')}\n`;
}

/** A line for each section that there is. */
function contentsOf(sections: readonly string[]): string {
  const titles = sections.flatMap((section) => [...section.matchAll(/^## (.+)/gm)].map(([, title]) => title!));
  return titles.map((title) => `- [${title}](#${title.toLowerCase().replaceAll(' ', '-')})`).join('\n');
}

function pageHead(sections: readonly string[]): string {
  return `# Detection

<!-- Made by scripts/detection-docs.mjs from the newest detect record in bench/results. Do not edit. -->

This page shows how many attacks guard finds and how much honest text it blocks, measured on public corpora that nobody in this
project wrote. Expect lower figures for attacks from sources that nobody here has seen: [Expected results on unseen
sources](#expected-results-on-unseen-sources) shows how much lower.

${contentsOf(sections)}`;
}

function howMeasuredSection({ at, machine, results }: DetectRecord): string {
  const texts = results.corpora.reduce((sum, { attacks, benign }) => sum + attacks + benign, 0);
  const characters = results.corpora.reduce((sum, corpus) => sum + corpus.characters, 0);
  const cpuMs = results.corpora.reduce((sum, corpus) => sum + corpus.cpuMs, 0);
  return `## How it is measured

All figures come from one run of \`npm run bench -- detect\` on ${at.slice(0, 10)}, with ${results.signatures} signatures, ${texts} texts and the default
configuration. Each text is sent alone in a user's message, texts with sensitive data in a model's answer.

- **Blocked**: the default policy refuses the text.
- **Seen**: the default policy does anything but allow the text.
- **Means** are over corpora, so that a large corpus does not outweigh the others.
- **A star** marks a corpus from which likeness has learned. There the figure shows how well it remembers.
- Only one half of each corpus is used: the half that may be looked at. Signatures were written with it in view.

To measure your own texts, run \`guard eval FILE.jsonl\` on a file with one object per line with the keys \`text\` and \`label\`. Its flags
are in [commands.md](commands.md#eval).

The whole run took ${(cpuMs / 1000).toFixed(1)} s of CPU for reading, scanning and judging (${machine.cores} cores, Node ${machine.node.slice(1)}, load ${machine.load} before): ${((1000 * cpuMs) / texts).toFixed(0)} us per text and
${((1000 * cpuMs) / (characters / 1024)).toFixed(0)} us per KB. This is the most expensive case: most of these texts are short, no two are alike, and the threads had just
started. A thread that has seen some thousand texts takes a fraction of that. [benchmarks.md](benchmarks.md) shows what a scan
costs then.`;
}

function caughtSection({ corpora, groups }: Summary): string {
  return `## Attacks found

Percent of attacks, by corpus. *Blocked* and *seen* are the results of guard. The columns after them show other products with
their rules as shipped. They were measured on the whole of each corpus and guard on one half, so do not compare decimals. The last
two find more attacks at the price of many more [false positives](#false-positives).

${foundTable(corpora)}

## False positives

Percent of benign texts that are blocked or seen, by corpus.

${flaggedTable(corpora)}${ordinarySection(groups)}`;
}

/** Ordinary texts, without security prose. They are most of the traffic, so an operator asks for this figure first. */
const ORDINARY_GROUP = 'ordinary pool';

function ordinarySection(groups: Summary['groups']): string {
  const ordinary = groups.find(({ name }) => name === ORDINARY_GROUP);
  if (ordinary === undefined || ordinary.benign === 0) return '';
  const { benign, blockedBenign } = ordinary;
  return `

Ordinary traffic is the corpora that begin with \`bn_\`, except prose about security. Of their ${benign} benign texts ${blockedBenign} are blocked:
**${percent(shareOf(blockedBenign, benign))} %**.`;
}

function surroundedSection({ surrounded = [] }: DetectResults): string {
  if (surrounded.length === 0) return '';
  const rows = surrounded.map(({ name, texts, alone, between: inside }) => [
    name,
    String(texts),
    percent(shareOf(alone, texts)),
    percent(shareOf(inside, texts)),
  ]);
  return `## Attacks between honest paragraphs

Corpora contain attacks on their own, but a sender puts an attack into a letter, a page or a question. In this test, attacks of up
to 400 characters are placed between two ordinary texts of 120 to 400 characters, on the same line. The last row does the same
with ordinary texts in place of attacks. Percent blocked:

${markdown(['', 'texts', 'alone', 'between two texts'], rows)}`;
}

function conversationsSection({ conversations = [] }: DetectResults): string {
  if (conversations.length === 0) return '';
  const rows = conversations.map(({ messages, conversations: count, blocked }) =>
    [messages, count, blocked].map(String).concat(percent(shareOf(blocked, count))),
  );
  return `## Long conversations

Many clients resend the whole conversation with every turn. Such a request is blocked if any one of its messages is, so the rate
of false positives per request grows with the number of messages.

In this test, conversations are put together from random ordinary texts, with user and assistant taking turns. This is harder than
a real conversation, which stays on one subject. Weak signs add up only when they are near each other, so length by itself does
not cause a block.

${markdown(['messages', 'bodies', 'blocked', '%'], rows)}`;
}

/** The trainer's names for benign text that nobody writes to a model and every agent sends to one. */
const LEARNT_FROM = 'from packages that were partly used for training';
const NOT_LEARNT_FROM = 'from packages never used for training';

function agentsSection(retrained: Retrained | null): string {
  const table = blockedOf(retrained?.asked.blockedPercent.honest, {
    bn_agents: LEARNT_FROM,
    bn_agents_unseen: NOT_LEARNT_FROM,
  });
  if (table === null) return '';
  return `## Prompts of agents and applications

Coding agents and frameworks send instructions of their own in the user's messages: reminders, project rules, templates. They read
like attacks without being any.

These texts come from published packages (\`npm run train:published\`), in parts of about 5,000 characters. Each is judged as a
user's message, by a model that was not trained on it. As \`system\` messages, almost none would be blocked. Percent blocked:

${table}`;
}

function filesSection(retrained: Retrained | null): string {
  const table = blockedOf(retrained?.planted.blockedPercent.honest, {
    bn_files: `files ${LEARNT_FROM}`,
    bn_files_unseen: `files ${NOT_LEARNT_FROM}`,
    bn_pages_unseen: 'whole pages of popular sites',
  });
  if (table === null) return '';
  return `## Files and web pages

An agent sends the files that it reads (manuals, source code, message catalogs in thirty languages) and the pages that it fetches.
If one of them is blocked, the agent's work ends: the file stays in the conversation, and every later turn is blocked, too.

The test sends each text as a tool result:

- parts of files from published packages, of about 5,000 characters each
- whole web pages with scripts and advertisements, most of them 40,000 to 400,000 characters long. Likeness learned nothing from
  these pages, but half of all pages were looked at when signatures were narrowed.

*Likeness* is the \`planted\` model ([likeness.md](likeness.md)); *together* are the signatures and both models. Percent blocked, or
refused because they decode to too much text:

${table}`;
}

/** The rows of the table: corpora of these names, if the trainer had them. */
const PLANTED = {
  written_unseen_planted: 'in documents, written blind',
  pi_tasktracker: 'TaskTracker',
  ipi_asb: 'Agent Security Bench',
  ipi_bipia_train: 'BIPIA',
  written_planted: 'emails, pages and tool results, written for training',
  written_plants: 'alone, in code and in long documents, written for training',
} as const;
const BESIDE_PLANTED = {
  written_unseen_data: 'documents, written blind',
  written_planted_twins: 'the same emails, pages and tool results without it',
  written_plants_twins: 'honest twins of the others, and hard cases',
  written_honest_data: 'emails, pages, tool results and rules with the same words',
} as const;

function plantedSection(retrained: Retrained | null): string {
  const found = blockedOf(retrained?.planted.blockedPercent.attacks, PLANTED);
  const flagged = blockedOf(retrained?.planted.blockedPercent.honest, BESIDE_PLANTED);
  if (found === null || flagged === null) return '';
  return `## Instructions planted in tool results and documents

Text from tools and documents (\`tool_result\`, \`document\`) is also judged by a second likeness model, \`planted\`. It has learned
what attackers plant in emails, pages, tickets and code for the model that reads them. Words alone do not give such an instruction
away, because the same sentence may be meant for a person. Each attack that the model learned from therefore has an honest twin.

Each text is sent as a tool result, and judged by a model that was not trained on it. The first table shows the percentage of
attacks that are blocked. The second shows the same for honest texts that were written to look like them. *Written blind* means:
by somebody who had seen neither the signatures nor the training texts.

${found}

${flagged}`;
}

function blockedOf(lines: readonly Line[] | undefined, corpora: Readonly<Record<string, string>>): string | null {
  const rows = Object.entries(corpora).flatMap(([corpus, how]) => {
    const line = lines?.find((one) => one.corpus === corpus);
    if (line === undefined) return [];
    return [[how, String(line.rows), percent(line.signatures), percent(line.likeness), percent(line.together)]];
  });
  return rows.length === 0 ? null : markdown(['', 'texts', 'signatures', 'likeness', 'together'], rows);
}

const SENSITIVITIES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

function dialSection({ dial: { request }, sensitivity }: Summary): string {
  const at = (place: number): Point | undefined => request.find((point) => Math.abs(point.sensitivity - place) < 1e-9);
  const rows = SENSITIVITIES.flatMap((place) => {
    const point = at(place);
    if (point === undefined) return [];
    const name = place === sensitivity ? `**${place}**` : String(place);
    return [[name, percent(point.recall), percent(point.falsePositives), percent(point.precision)]];
  });
  return `## Choosing a sensitivity

\`policy.sensitivity\` sets how sure guard must be: a category acts when its score reaches 1 - \`sensitivity\`. The chart and the
table show what each setting blocks on the corpora above. The red dot and the bold row are the default.

A category can have its own sensitivity (\`policy.categories\`). To see what another setting would do to your own traffic before you
use it, set it in \`policy.shadow\`.

![Recall, false positives and precision over policy.sensitivity](${DIAL_FILE})

${markdown(['sensitivity', 'attacks blocked %', 'benign blocked %', 'precision % if half the traffic is attacks'], rows)}`;
}

/** Lists the groups of which most is missed: operators need to know first where detection is weak. */
const MISSED_PERCENT = 50;
const ENOUGH = 5;
const MOST_ROWS = 30;

function missedSection({ corpora }: Summary): string {
  const groups = corpora
    .filter(({ direction }) => direction === 'request')
    .flatMap(({ name, subtypes }) => subtypes.map((group) => ({ ...group, name: `${name}: ${group.name}` })))
    .filter(({ attacks, seenAttacks }) => attacks >= ENOUGH && (shareOf(seenAttacks, attacks) ?? 0) < MISSED_PERCENT)
    .sort((a, b) => b.attacks - b.seenAttacks - (a.attacks - a.seenAttacks));
  const rows = groups.slice(0, MOST_ROWS).map(attackCells);
  const rest = groups.length - rows.length;
  const table = markdown(['corpus: kind', 'attacks', 'blocked %', 'seen %'], rows);
  return `## What is not found

Signatures and likeness recognize the wording of an attack, not its purpose. Attacks in other words pass:

- **Fluent rewrites.** A harmful request that another model has rephrased until it reads like any other request.
- **Semantic injections.** A question inside a table or an email that the model was only supposed to summarize. Nothing in the
  words says that it does not belong there; only the application knows.
- **Attacks on one application only.** "Tell me the price of the competitor" breaks one operator's rules and nobody else's. Write
  your own signatures for these: see [signatures.md](signatures.md).
- **Plain requests for harmful content.** Finding those is moderation, not injection detection. Encoded ones are found.
- **Languages** without signatures, and images, sound and files that the proxy cannot read.

guard is one layer. Do not rely on it alone to limit what a model may do with its tools.

The kinds of attacks of which less than half are seen, those with the most misses first${rest > 0 ? ` (${rest} smaller ones are left out)` : ''}:

${groups.length === 0 ? 'There is none with five texts or more.' : table}`;
}

function attackCells({ name, attacks, blockedAttacks, seenAttacks }: Tally & { readonly name: string }): string[] {
  return [name, String(attacks), percent(shareOf(blockedAttacks, attacks)), percent(shareOf(seenAttacks, attacks))];
}

function unseenSection({ leftOut, corpora }: Summary, retrained: Retrained | null): string {
  const requests = new Set(corpora.flatMap(({ name, direction }) => (direction === 'request' ? [name] : [])));
  const signaturesAlone = leftOut.filter(({ corpus }) => requests.has(corpus));
  const trained = retrained === null ? '' : `\n\n${retrainedTable(retrained.asked)}`;
  return `## Expected results on unseen sources

These tables estimate how guard does on attacks from a source that it was not built with. Both results are still too favorable,
because whoever wrote the signatures had read most of these corpora.

**Signatures alone** (\`guard eval FOLDER --confidences\`). One corpus is left out. Every signature gets its confidence from the
other corpora alone, and a signature that finds nothing in them does not count. Then the corpus that was left out is judged:

${leftOutTable(signaturesAlone)}${trained}`;
}

function retrainedTable({ leftOutPercent: { allowedFalsePositives, sources, macro } }: Report): string {
  const cells = ({ signatures: mine, likeness, together }: Shares): string[] => [mine, likeness, together].map(percent);
  const rows = sources.map((source) =>
    [source.corpus, String(source.rows)].concat(cells(source), percent(source.falsePositives)),
  );
  const mean = ['mean', ''].concat(cells(macro), '');
  const head = ['left out', 'attacks', 'signatures %', 'likeness %', 'together %', 'benign %'];
  return `**Signatures and likeness.** Likeness is trained again without the source that is left out (\`npm run train\`), and set so that both
together block at most ${allowedFalsePositives} % of ordinary text. Here the signatures keep their confidences:

${markdown(head, [...rows, mean])}`;
}

function leftOutTable(left: readonly LeftOut[]): string {
  const head = ['left out', 'attacks', 'blocked %', 'benign', 'blocked %'];
  return markdown(head, [...leftOutRows(left), leftOutMean('mean', left)]);
}

function sensitiveSection({ corpora, groups }: Summary): string {
  const parts = corpora
    .filter(({ direction }) => direction === 'response')
    .flatMap(({ name, subtypes }: CorpusSummary) =>
      subtypes.map((group) => Object.assign({ ...group }, { name: `${name}: ${group.name}` })),
    );
  const kinds = groups.filter(({ name }) => name.startsWith(PERSONAL_DATA_PREFIX));
  const rows = [...parts, ...kinds].map((group) => [
    group.name,
    group.attacks === 0 ? '' : String(group.attacks),
    percent(shareOf(group.blockedAttacks, group.attacks)),
    percent(shareOf(group.foundAttacks, group.attacks)),
    group.benign === 0 ? '' : String(group.benign),
    percent(shareOf(group.blockedBenign, group.benign)),
  ]);
  return `## Sensitive data in answers

Secrets and personal data in a model's answer, with response scanning turned on. [sensitive-data.md](sensitive-data.md) lists the
kinds.

- The benign texts of these corpora are near misses by design: a key that is one character too short, a number with a wrong check
  digit.
- Data that is found and not blocked is too common to be blocked by itself, such as an email address. A higher sensitivity for the
  category blocks it.

${markdown(['corpus: kind', 'texts', 'blocked %', 'found %', 'near misses', 'blocked %'], rows)}`;
}

const PERSONAL_DATA_PREFIX = 'personal data: ';

const MOST_SIGNATURES = 15;

function signaturesSection({ bySignature }: Summary): string {
  const cells = (pick: (typeof bySignature)[number]): string[] =>
    [pick.signature, pick.hits, pick.corpora, pick.needed, pick.falseHits, pick.falselyNeeded].map((cell) =>
      String(cell),
    );
  const best = [...bySignature].sort((a, b) => b.needed - a.needed).slice(0, MOST_SIGNATURES);
  const worst = [...bySignature].sort((a, b) => b.falselyNeeded - a.falselyNeeded || b.falseHits - a.falseHits);
  const head = ['signature', 'hits', 'in corpora', 'needed', 'false hits', 'blocks falsely'];
  return `## Which signatures matter most

- **hits**: attacks in which the signature was found, whatever else was.
- **needed**: attacks that would pass without it.
- **false hits**: benign texts in which it was found.
- **blocks falsely**: benign texts that would pass without it.

\`guard eval FOLDER --signatures\` lists all signatures. These are the most needed:

${markdown(head, best.map(cells))}

These cause the most false positives:

${markdown(
  head,
  worst
    .filter(({ falseHits }) => falseHits > 0)
    .slice(0, MOST_SIGNATURES)
    .map(cells),
)}`;
}

function floorsSection(): string {
  return `## Guarding against regressions

\`bench/floors.json\` holds the lowest recall and the highest rate of false positives allowed for every corpus, with a margin of one
point and one text. \`FOLDER\` is the folder with the corpora.

| To | Run |
|---|---|
| check against the floors, as CI does; fails with the figures that are worse and the ids of the texts | \`guard eval FOLDER --floors bench/floors.json\` |
| save a run before you change signatures | \`guard eval FOLDER --json before.json\` |
| see what changed since then | \`guard eval FOLDER --compare before.json\` |
| set new floors | \`guard eval FOLDER --write-floors bench/floors.json\` |
| write this page anew | \`npm run bench -- detect && node scripts/detection-docs.mjs\` |`;
}
