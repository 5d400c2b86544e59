import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { matchesPattern } from '../eval/name-pattern.ts';
import { labelledRow, type Row } from '../eval/labelled.ts';
import { misuse, type Arguments } from './command.ts';
import { linesOf, TOO_LONG } from './lines.ts';

export interface Corpus {
  readonly name: string;
  readonly file: string;
  /**
   * Whether no signature may be shaped by it, because of its license or its age. An INDEX.md beside it says so.
   */
  readonly measuredOnly: boolean;
}

/** The corpora named on the command line, filtered by --only and --without. */
export function chosenCorpora(args: Arguments): readonly Corpus[] {
  const all = args.words.flatMap((path) => {
    const found = corporaAt(path);
    if (found === null) throw misuse(`there is no file or folder ${JSON.stringify(path.slice(0, 200))}`);
    return found;
  });
  const names = all.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw misuse(`two corpora are called ${JSON.stringify(twice)}; figures go by the name`);
  const [only, without] = [args.list('only'), args.list('without')];
  const chosen = all.filter(
    ({ name }) =>
      (only.length === 0 || only.some((one) => matchesPattern(name, one))) &&
      !without.some((one) => matchesPattern(name, one)),
  );
  if (chosen.length === 0)
    throw misuse(all.length === 0 ? 'no .jsonl file is there' : 'no corpus of that name is there');
  for (const { file } of chosen) mustBeReadable(file);
  return chosen;
}

/** Said before the run, which may take minutes. A pipe is refused, too, because a corpus is read twice. */
function mustBeReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
    if (statSync(file).isFile()) return;
  } catch (error) {
    throw misuse(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`);
  }
  throw misuse(`${file} cannot be read: it is no file`);
}

/** The JSONL file at the path, or all such files of the folder there. Null when nothing exists there. */
export function corporaAt(path: string): readonly Corpus[] | null {
  const at = statSync(path, { throwIfNoEntry: false });
  if (at === undefined) return null;
  if (!at.isDirectory()) return [corpusOf(path)];
  return readdirSync(path)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => corpusOf(join(path, name)));
}

function corpusOf(file: string): Corpus {
  const name = basename(file).replace(/\.jsonl$/, '');
  return { name, file, measuredOnly: measuredOnlyIn(dirname(file)).has(name) };
}

/** The names of corpora that only measure, from the rows of the table in INDEX.md: | `name` | eval | ... */
function measuredOnlyIn(folder: string): ReadonlySet<string> {
  const index = join(folder, 'INDEX.md');
  if (!existsSync(index)) return new Set();
  return new Set([...readFileSync(index, 'utf8').matchAll(/^\| `([^`]+)` \| eval\b/gm)].map(([, name]) => name!));
}

export type Read = Row & { readonly place: string };

/** Reads one line at a time: a corpus may be larger than memory. */
export async function* rowsOf(file: string): AsyncGenerator<Read> {
  let line = 0;
  for await (const bytes of linesOf(file)) {
    line += 1;
    const place = `${basename(file)}:${line}`;
    if (bytes === null) yield { kind: 'unread', reason: TOO_LONG, place };
    else if (bytes.length > 0) yield { ...labelledRow(bytes.toString('utf8'), place), place };
  }
}

/**
 * Counts the texts before the run, and finds out whether the corpus consists of responses: it does if any text is
 * labelled as sensitive data.
 */
export async function surveyOf(file: string): Promise<{ readonly rows: number; readonly sensitive: boolean }> {
  let [rows, sensitive] = [0, false];
  for await (const read of rowsOf(file)) {
    rows += 1;
    if (read.kind === 'row' && read.row.label === 'sensitive-data') sensitive = true;
  }
  return { rows, sensitive };
}
