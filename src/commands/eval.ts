import { ROLES } from '../domain/passage.ts';
import type { Command } from './command.ts';
import { CONFIG_FLAGS } from './config-flags.ts';
import { evalOptionsOf } from './eval-options.ts';

const MOST_PATHS = 1000;

/** Measures what the signatures and the policy do with labelled texts. */
export const command: Command = {
  usage: [
    'eval FILE.jsonl|FOLDER ...     one object a line: text, label, and id, subtype, role where there are any',
    'eval CORPORA --floors FILE     and fail where detection fell below what the file asks',
    'eval CORPORA --compare OLD.json     and which texts are judged otherwise than in an earlier run',
  ],
  flags: {
    config: { ...CONFIG_FLAGS.config, help: `${CONFIG_FLAGS.config.help}; its signatures and its policy are used` },
    set: CONFIG_FLAGS.set,
    only: {
      value: 'CORPUS',
      many: true,
      help: 'only this corpus, a file name without .jsonl; * stands for any part of it',
    },
    without: { value: 'CORPUS', many: true, help: 'all but this corpus' },
    sample: { value: 'NUMBER', help: 'about so many texts of each corpus, evenly spread over it' },
    role: { value: 'ROLE', help: `judge every text as one of ${ROLES.join(', ')} (default: its own, else user)` },
    direction: {
      value: 'DIRECTION',
      help: 'request or response (default: response for corpora with sensitive data, else request)',
    },
    threads: { value: 'NUMBER', help: 'scanning threads (default: one a core, at most 8)' },
    subtypes: { help: 'a row for each subtype, too' },
    depth: { value: 'NUMBER', help: 'how many parts of a subtype count, a/b/c (default: as many as stay readable)' },
    signatures: { help: 'a row for each signature (default: the 20 with the most false hits)' },
    misses: { value: 'CORPUS', many: true, help: 'show missed attacks and benign texts that are not allowed' },
    hits: { value: 'SIGNATURE', many: true, help: 'show benign texts in which this signature is found' },
    confidences: { help: 'suggest a confidence for each signature, from the corpora that may teach' },
    floors: { value: 'FILE', help: 'fail where a figure is worse than this file allows' },
    'write-floors': { value: 'FILE', help: 'write such a file from this run, with a small margin' },
    compare: { value: 'FILE', help: 'say which texts are judged otherwise than in this earlier run' },
    json: { value: 'FILE', help: 'save the run: ids and scores, never a text' },
    svg: { value: 'FILE', help: 'draw recall and false positives over the sensitivity' },
  },
  maxWords: MOST_PATHS,
  async run(args) {
    const options = evalOptionsOf(args);
    const { runEval } = await import('./eval-command.ts');
    return await runEval(args, options);
  },
};
