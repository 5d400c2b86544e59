import { decide, scansRequestsForSecrets } from '../domain/policy.ts';
import { ROLES } from '../domain/passage.ts';
import { chosenSignatures } from '../signatures/choose.ts';
import { EXIT, type Command } from './command.ts';
import { CONFIG_FLAGS, configFor } from './config-flags.ts';
import { inputOf } from './check-input.ts';
import { asJson, asWords } from './check-report.ts';
import { provenScanner } from './proving.ts';
import { sayProblems } from './say-problems.ts';

/** Judges one text or one call as the proxy would judge it, without a server. */
export const command: Command = {
  usage: [
    'check TEXT',
    'check -        read the text from standard input',
    'check --messages FILE     judge the messages of a call; - for standard input',
  ],
  flags: {
    config: CONFIG_FLAGS.config,
    role: { value: 'ROLE', help: `judge the text as one of ${ROLES.join(', ')} (default: user)` },
    messages: { value: 'FILE', help: 'JSON: a list of messages, or the body of a call that has one' },
    json: { help: 'print the verdict as JSON, as POST /check answers it, with the findings' },
    'exit-code': { help: 'end with 1 when it is blocked (default: 0 whatever the verdict is)' },
  },
  maxWords: 1,
  async run(args) {
    const input = await inputOf(args);
    const loaded = await configFor(args);
    if (loaded === null) return EXIT.config;
    const { policy, scanner: settings, signatures } = loaded.config;

    const chosen = chosenSignatures(signatures);
    const { scanner, problems } =
      chosen.problems.length > 0
        ? { scanner: null, problems: chosen.problems }
        : await provenScanner(chosen.signatures, { threads: 1, likeness: settings.likeness });
    if (scanner === null) {
      sayProblems(problems);
      return EXIT.config;
    }
    const job = input(scansRequestsForSecrets(policy));
    const startedAt = performance.now();
    const outcome = await scanner.scan(job);
    const ms = performance.now() - startedAt;
    await scanner.close();
    if (outcome.kind !== 'report') {
      console.error(`guard: it could not be scanned: ${outcome.kind === 'unreadable' ? outcome.reason : outcome.kind}`);
      return EXIT.failure;
    }
    const context = {
      direction: 'request',
      upstream: null,
      path: '/check',
      client: () => null,
      now: Date.now(),
    } as const;
    const { findings } = outcome;
    const verdict = decide(policy, findings, context);
    console.log(args.has('json') ? asJson(verdict, findings) : asWords(verdict, findings, ms));
    return args.has('exit-code') && verdict.action === 'block' ? EXIT.failure : EXIT.ok;
  },
};
