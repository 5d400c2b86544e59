import { styleText } from 'node:util';
import { jobOfText } from '../domain/lone-text.ts';
import { decide, wantsSensitive } from '../domain/policy.ts';
import { presented, type Verdict } from '../domain/verdict.ts';
import { chosenSignatures } from '../signatures/choose.ts';
import { EXIT, misuse, type Command } from './command.ts';
import { CONFIG_FLAGS, configFor } from './config-flags.ts';
import { provenScanner } from './proving.ts';

const MAX_STDIN = 10_485_760;

/** Judges one text as the proxy would judge it in a user's message, without a server. */
export const command: Command = {
  usage: ['check TEXT', 'check -        read the text from standard input'],
  flags: { config: CONFIG_FLAGS.config, json: { help: 'print the verdict as JSON, as POST /check answers it' } },
  maxWords: 1,
  async run(args) {
    const word = args.words[0];
    if (word === undefined) throw misuse('check needs a text, or - for standard input');
    const text = word === '-' ? await standardInput() : word;
    if (text === null) throw misuse(`standard input holds more than ${MAX_STDIN} bytes`);
    const loaded = await configFor(args);
    if (loaded === null) return EXIT.config;

    const chosen = chosenSignatures(loaded.config.signatures);
    const { likeness } = loaded.config.scanner;
    const { scanner, problems } =
      chosen.problems.length > 0
        ? { scanner: null, problems: chosen.problems }
        : await provenScanner(chosen.signatures, { threads: 1, likeness });
    if (scanner === null) {
      const { formatProblem } = await import('../config/complaint.ts');
      for (const problem of problems) console.error(formatProblem(problem));
      return EXIT.config;
    }
    const startedAt = performance.now();
    const outcome = await scanner.scan(jobOfText(text, 'request', 'user', wantsSensitive(loaded.config.policy)));
    const ms = performance.now() - startedAt;
    await scanner.close();
    if (outcome.kind !== 'report') {
      console.error(`guard: the text could not be scanned: ${outcome.kind}`);
      return EXIT.failure;
    }
    const scene = { direction: 'request', upstream: null, path: '/check', client: null, now: Date.now() } as const;
    const verdict = decide(loaded.config.policy, outcome.findings, scene);
    console.log(args.has('json') ? JSON.stringify(presented(verdict)) : asWords(verdict, ms));
    return EXIT.ok;
  },
};

const COLOURS = { allow: 'green', log: 'cyan', warn: 'yellow', block: 'red' } as const;

function asWords({ action, category, signatureName, confidence }: Verdict, ms: number): string {
  const colourful = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '';
  const word = colourful ? styleText(['bold', COLOURS[action]], action) : action;
  const time = `${ms.toFixed(1)} ms`;
  return category === null
    ? `${word}  nothing found  ${time}`
    : `${word}  ${category}  ${signatureName}  ${confidence.toFixed(2)}  ${time}`;
}

/** Returns null when there is more than MAX_STDIN bytes. */
async function standardInput(): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size > MAX_STDIN) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
