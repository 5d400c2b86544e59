import { randomBytes } from 'node:crypto';
import { closest } from '../config/suggest.ts';
import { createKey } from '../control-plane/new-key.ts';
import { NAME, NAME_RULE } from '../domain/name.ts';
import { SCOPES } from '../domain/scope.ts';
import { EXIT, misuse } from './command.ts';
import type { Command } from './command.ts';

/** Creates an API key and prints the configuration entry for its hash. */
export const command: Command = {
  usage: ['keys create --scope check [--scope metrics] [--id NAME]'],
  flags: {
    scope: { value: 'SCOPE', many: true, help: `what the key opens: ${SCOPES.join(', ')}` },
    id: { value: 'NAME', help: 'a name for logs (default: made up)' },
  },
  maxWords: 1,
  async run(args) {
    if (args.words[0] !== 'create') throw misuse('keys knows one thing: create');
    const scopes = [...new Set(args.list('scope').flatMap((each) => each.split(',')))];
    if (scopes.length === 0) throw misuse(`--scope is needed: one or more of ${SCOPES.join(', ')}`);
    const wrong = scopes.find((scope) => !SCOPES.some((each) => each === scope));
    if (wrong !== undefined) {
      const meant = closest(wrong, SCOPES);
      throw misuse(`--scope knows ${SCOPES.join(', ')}${meant === null ? '' : `; did you mean ${meant}?`}`);
    }
    const id = args.text('id') ?? `key-${randomBytes(4).toString('hex')}`;
    if (!NAME.test(id)) throw misuse(`--id takes ${NAME_RULE}`);

    const { key, sha256 } = createKey();
    // Only the key goes to standard output, so that it can be piped into a secret store without being shown.
    console.error('The key, shown this once and kept nowhere:');
    console.log(key);
    console.error(
      [
        '',
        'For the configuration:',
        '',
        'auth:',
        '  keys:',
        `    - { id: "${id}", sha256: "${sha256}", scopes: [${scopes.join(', ')}] }`,
      ].join('\n'),
    );
    return EXIT.ok;
  },
};
