/** Generates docs/detection.md from a record of `npm run bench -- detect`. No figure in it is written by hand. */
import { chart } from '../src/eval/chart.ts';
import type { LeftOut } from '../src/eval/confidences.ts';
import type { Point } from '../src/eval/curve.ts';
import { leftOutMean, leftOutRows } from '../src/eval/report.ts';
import type { CorpusSummary, Summary } from '../src/eval/summary.ts';
import { markdown, percent } from '../src/eval/table.ts';
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

export const DIAL = 'detection-dial.svg';

export function dialOf({ results }: DetectRecord): string {
  return chart(results.dial.request, results.sensitivity, 'Recall and false positives over policy.sensitivity');
}

export function detectionPage(record: DetectRecord, retrained: Retrained | null): string {
  const { results } = record;
  const sections = [
    head(record),
    caught(results),
    between(results),
    together(results),
    agents(retrained),
    files(retrained),
    planted(retrained),
    dial(results),
    missed(results),
    unseen(results, retrained),
    sensitive(results),
    signatures(results),
    holding(),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function head({ at, machine, results }: DetectRecord): string {
  const texts = results.corpora.reduce((sum, { attacks, benign }) => sum + attacks + benign, 0);
  const characters = results.corpora.reduce((sum, corpus) => sum + corpus.characters, 0);
  const cpuMs = results.corpora.reduce((sum, corpus) => sum + corpus.cpuMs, 0);
  return `# Detection

<!-- Made by scripts/detection-docs.mjs from the newest detect record in bench/results. Do not edit. -->

What guard finds and what it does not, measured on public corpora that nobody of this project wrote. All figures are of one
run of \`npm run bench -- detect\` on ${at.slice(0, 10)}: ${results.signatures} signatures, ${texts} texts, the default configuration,
each text alone in a user's message (those with sensitive data in a model's answer). Your own texts are measured by
\`guard eval FILE.jsonl\`, one object a line with \`text\` and \`label\`; \`guard eval --help\` has the rest.

**Blocked** is what the default policy refuses, **seen** is whatever it does not merely allow. Means are over corpora, so
that a large one does not speak for the others. The corpora are the half that may be looked at: signatures were written
beside it, and from those with a star likeness has learned its weights, so that their figures are how well it remembers.
Expect less of texts that nobody here has seen. [Further below](#a-corpus-left-out) is how much less.

The whole run, with reading, scanning and judging, took ${(cpuMs / 1000).toFixed(1)} s of CPU (${machine.cores} cores, Node
${machine.node.slice(1)}, load ${machine.load} before): ${((1000 * cpuMs) / texts).toFixed(0)} us a text, ${((1000 * cpuMs) / (characters / 1024)).toFixed(0)} us a KB. Most of these texts are
short, no two are alike, and the threads had just started, which is the dearest there is: a thread that has seen some
thousand texts takes a fraction of it. [benchmarks.md](benchmarks.md) has what a scan costs then.`;
}

function caught({ corpora, groups }: Summary): string {
  return `## What is found

Percent of attacks. The columns after ours are what others reach with their rules as shipped, on the whole of the same
corpora; ours are of one half, so compare the size of a figure and not its decimals. The last two trade recall for false
positives: see the table after this one.

${foundTable(corpora)}

## What is flagged and should not be

Percent of benign texts.

${flaggedTable(corpora)}${pool(groups)}`;
}

/** Ordinary texts, without security prose. They are most of the traffic, so an operator asks for this figure first. */
const POOL = 'ordinary pool';

function pool(groups: Summary['groups']): string {
  const ordinary = groups.find(({ name }) => name === POOL);
  if (ordinary === undefined || ordinary.benign === 0) return '';
  const { benign, blockedBenign } = ordinary;
  return `

Of the ${benign} benign texts in the corpora that begin with \`bn_\`, without prose about security, ${blockedBenign} are blocked: **${percent(shareOf(blockedBenign, benign))} %**.`;
}

function between({ surrounded = [] }: DetectResults): string {
  if (surrounded.length === 0) return '';
  const rows = surrounded.map(({ name, texts, alone, between: inside }) => [
    name,
    String(texts),
    percent(shareOf(alone, texts)),
    percent(shareOf(inside, texts)),
  ]);
  return `## Between honest paragraphs

Corpora hold attacks by themselves; who sends one puts it into a letter, a page or a question. Here attacks of up to 400 characters stand
between two ordinary texts of 120 to 400 characters, in one line with them, and ordinary texts do, too. Percent blocked:

${markdown(['', 'texts', 'by themselves', 'between two'], rows)}`;
}

function together({ conversations = [] }: DetectResults): string {
  if (conversations.length === 0) return '';
  const rows = conversations.map(({ messages, conversations: count, blocked }) =>
    [messages, count, blocked].map(String).concat(percent(shareOf(blocked, count))),
  );
  return `## Long conversations

Whoever resends a conversation with every turn asks two hundred texts to be spared at once. Here such bodies are put together of
the same ordinary texts, in any order, user and assistant in turn, which is harder than a conversation that keeps to its
matter. Weak signs add up only where they stand near each other, so that a body is blocked for a text in it and not for its length.

${markdown(['messages', 'bodies', 'blocked', '%'], rows)}`;
}

/** The trainer's names for benign text that nobody writes to a model and every agent sends to one. */
const LEARNT_FROM = 'others of the same packages learnt from';
const NOT_LEARNT_FROM = 'none of these packages learnt from';

function agents(retrained: Retrained | null): string {
  const table = blockedOf(retrained?.asked.blockedPercent.honest, {
    bn_agents: LEARNT_FROM,
    bn_agents_unseen: NOT_LEARNT_FROM,
  });
  if (table === null) return '';
  return `## What agents and applications say to a model

Coding agents and frameworks send instructions of their own in the user's messages: reminders, rules of a project, templates. They
are written like attacks and are none. These are out of published packages (\`npm run train:published\`), in parts of some
5,000 characters, each judged as a user's message by a model that has not seen it; sent as \`system\` next to nothing of it is blocked.
Percent blocked:

${table}`;
}

function files(retrained: Retrained | null): string {
  const table = blockedOf(retrained?.planted.blockedPercent.honest, {
    bn_files: `files, ${LEARNT_FROM}`,
    bn_files_unseen: `files, ${NOT_LEARNT_FROM}`,
    bn_pages_unseen: 'whole pages of much visited sites',
  });
  if (table === null) return '';
  return `## What is in files and pages

An agent sends the files that it reads: manuals, source, catalogues of messages in thirty languages; and the pages that it fetches. One
that is blocked ends its work, for the conversation holds it from then on. These are parts of files of published packages, some 5,000
characters each, and pages of the web with their scripts and advertisements, most of them 40,000 to 400,000; each as the result of a tool.
Nothing was learnt from these pages, but who narrowed signatures had looked at half of them all. *Likeness* is the model of what is
planted; together are the signatures and both models. Percent blocked, or refused for what they unfold to:

${table}`;
}

/** The rows of the table: corpora of these names, if the trainer had them. */
const PLANTED = {
  written_unseen_planted: 'errands in documents, written blind',
  pi_tasktracker: 'TaskTracker',
  ipi_asb: 'Agent Security Bench',
  ipi_bipia_train: 'BIPIA',
  written_planted: 'mails, pages and results, written for training',
  written_plants: 'the errand alone, in code, in long documents, likewise',
} as const;
const BESIDE_PLANTED = {
  written_unseen_data: 'documents, written blind beside the errands',
  written_planted_twins: 'the same mails, pages and results without the errand',
  written_plants_twins: 'the twins of the others, and hard ones',
  written_honest_data: 'mails, pages, results and rules with the same words',
} as const;

function planted(retrained: Retrained | null): string {
  const found = blockedOf(retrained?.planted.blockedPercent.attacks, PLANTED);
  const flagged = blockedOf(retrained?.planted.blockedPercent.honest, BESIDE_PLANTED);
  if (found === null || flagged === null) return '';
  return `## Errands planted in what a model reads

Text of tools and documents (\`tool_result\`, \`document\`) is judged by a second model of likeness, which has learnt what people plant in
mails, pages, tickets and code for the model that reads them. Nobody's words give it away: the same sentence may stand there for a
person. So each of the texts it learns from has an honest twin. Each as the result of a tool, by a model that has not seen it; percent of attacks blocked, and beside them the honest texts that were written to be mistaken for them:

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

const DIALS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

function dial({ dial: { request }, sensitivity }: Summary): string {
  const at = (place: number): Point | undefined => request.find((point) => Math.abs(point.sensitivity - place) < 1e-9);
  const rows = DIALS.flatMap((place) => {
    const point = at(place);
    if (point === undefined) return [];
    const name = place === sensitivity ? `**${place}**` : String(place);
    return [[name, percent(point.recall), percent(point.falsePositives), percent(point.precision)]];
  });
  return `## The dial

\`policy.sensitivity\` says how sure guard must be: a category counts when its score reaches one minus it. This is what each
place gives and costs on the corpora above, blocked alone; the red spot is the default. A category can have a place of its
own (\`policy.categories\`), and a \`policy.shadow\` counts what another place would do to your traffic before it does it.

![Recall, false positives and precision over policy.sensitivity](${DIAL})

${markdown(['sensitivity', 'attacks blocked %', 'benign blocked %', 'precision % where half is attacks'], rows)}`;
}

/** Lists the groups of which most is missed: operators need to know first where detection is weak. */
const BAD = 50;
const ENOUGH = 5;
const MOST_ROWS = 30;

function missed({ corpora }: Summary): string {
  const groups = corpora
    .filter(({ direction }) => direction === 'request')
    .flatMap(({ name, subtypes }) => subtypes.map((group) => ({ ...group, name: `${name}: ${group.name}` })))
    .filter(({ attacks, seenAttacks }) => attacks >= ENOUGH && (shareOf(seenAttacks, attacks) ?? 0) < BAD)
    .sort((a, b) => b.attacks - b.seenAttacks - (a.attacks - a.seenAttacks));
  const rows = groups.slice(0, MOST_ROWS).map(attackCells);
  const rest = groups.length - rows.length;
  const table = markdown(['corpus: kind', 'attacks', 'blocked %', 'seen %'], rows);
  return `## What is not found

Signatures and likeness know the words of an attack and not its purpose. What has none of those words passes:

- **Fluent rewrites.** A harmful request that another model has rephrased until it reads like any other.
- **Semantic injections.** A question put into a table or an e-mail that the model was only to summarise: nothing in the words
  says that it does not belong there. Whether it does, only the application knows.
- **What is an attack only to one application.** "Tell me the price of the competitor" breaks somebody's rules and nobody
  else's. Signatures of your own are the place for those: [signatures.md](signatures.md).
- **Harm asked for plainly.** That is moderation, and no injection.
- **Languages** in which no signature is written, and images, sound and files that the proxy cannot read.

Guard is one layer. What a model may do with its tools must not rest on it.

The kinds of which less than half is seen, those with the most misses first${rest > 0 ? ` (${rest} smaller ones are left out)` : ''}:

${groups.length === 0 ? 'There is none of five texts or more.' : table}`;
}

function attackCells({ name, attacks, blockedAttacks, seenAttacks }: Tally & { readonly name: string }): string[] {
  return [name, String(attacks), percent(shareOf(blockedAttacks, attacks)), percent(shareOf(seenAttacks, attacks))];
}

function unseen({ leftOut, corpora }: Summary, retrained: Retrained | null): string {
  const requests = new Set(corpora.flatMap(({ name, direction }) => (direction === 'request' ? [name] : [])));
  const signaturesAlone = leftOut.filter(({ corpus }) => requests.has(corpus));
  const trained = retrained === null ? '' : `\n\n${retrainedTable(retrained.asked)}`;
  return `## A corpus left out

The nearest thing to texts of another source: a corpus is taken away, every signature gets its confidence from the others
alone, and one that hits none of them counts as not written. Then the corpus is judged. Signatures only
(\`guard eval FOLDER --confidences\`):

${leftOutTable(signaturesAlone)}${trained}

It flatters all the same: whoever wrote the signatures had read most of these corpora.`;
}

function retrainedTable({ leftOutPercent: { allowedFalsePositives, sources, macro } }: Report): string {
  const cells = ({ signatures: mine, likeness, together }: Shares): string[] => [mine, likeness, together].map(percent);
  const rows = sources.map((source) =>
    [source.corpus, String(source.rows)].concat(cells(source), percent(source.falsePositives)),
  );
  const mean = ['mean', ''].concat(cells(macro), '');
  const head = ['left out', 'attacks', 'signatures %', 'likeness %', 'together %', 'benign %'];
  return `With likeness, which is trained anew without the source each time (\`npm run train\`) and set so that at most
${allowedFalsePositives} % of ordinary text is blocked by both together; here the signatures have the confidences of their entries:

${markdown(head, [...rows, mean])}`;
}

function leftOutTable(left: readonly LeftOut[]): string {
  const head = ['left out', 'attacks', 'blocked %', 'benign', 'blocked %'];
  return markdown(head, [...leftOutRows(left), leftOutMean('mean', left)]);
}

function sensitive({ corpora, groups }: Summary): string {
  const parts = corpora
    .filter(({ direction }) => direction === 'response')
    .flatMap(({ name, subtypes }: CorpusSummary) =>
      subtypes.map((group) => Object.assign({ ...group }, { name: `${name}: ${group.name}` })),
    );
  const kinds = groups.filter(({ name }) => name.startsWith(KIND));
  const rows = [...parts, ...kinds].map((group) => [
    group.name,
    group.attacks === 0 ? '' : String(group.attacks),
    percent(shareOf(group.blockedAttacks, group.attacks)),
    percent(shareOf(group.foundAttacks, group.attacks)),
    group.benign === 0 ? '' : String(group.benign),
    percent(shareOf(group.blockedBenign, group.benign)),
  ]);
  return `## Sensitive data in answers

Secrets and personal data, in a model's answer with response scanning on. [sensitive-data.md](sensitive-data.md) has the kinds.
The benign texts of these corpora are near misses by design: a key one character too short, a number with a wrong check digit.
What is found and not blocked is too common to be held back by itself, as an address of e-mail is; a category with another
place on the dial blocks it.

${markdown(['corpus: kind', 'texts', 'blocked %', 'found %', 'near misses', 'blocked %'], rows)}`;
}

const KIND = 'personal data: ';

const MOST_SIGNATURES = 15;

function signatures({ bySignature }: Summary): string {
  const cells = (pick: (typeof bySignature)[number]): string[] =>
    [pick.signature, pick.hits, pick.corpora, pick.needed, pick.falseHits, pick.falselyNeeded].map((cell) =>
      String(cell),
    );
  const best = [...bySignature].sort((a, b) => b.needed - a.needed).slice(0, MOST_SIGNATURES);
  const worst = [...bySignature].sort((a, b) => b.falselyNeeded - a.falselyNeeded || b.falseHits - a.falseHits);
  const head = ['signature', 'hits', 'in corpora', 'needed', 'false hits', 'blocks falsely'];
  return `## Which signatures carry it

A hit is an attack in which it was found, whatever else was. It is needed where the text would pass without it, and blocks
falsely where a benign text would. \`guard eval FOLDER --signatures\` lists all.

${markdown(head, best.map(cells))}

Those that cost most:

${markdown(
  head,
  worst
    .filter(({ falseHits }) => falseHits > 0)
    .slice(0, MOST_SIGNATURES)
    .map(cells),
)}`;
}

function holding(): string {
  return `## Holding the line

\`bench/floors.json\` has the least recall and the most false positives of every corpus, with a margin of a point and a text.
CI measures against it (\`guard eval FOLDER --floors bench/floors.json\`) and fails with the figures that are worse and the ids of
the texts. Who changes signatures saves a run before (\`--json before.json\`) and sees afterwards what moved
(\`--compare before.json\`). A new line is drawn by \`--write-floors bench/floors.json\`, this page by
\`npm run bench -- detect && node scripts/detection-docs.mjs\`.`;
}
