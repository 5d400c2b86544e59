import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirmed, placesOf } from '../src/detect/confirm/confirm.ts';
import { chooser } from '../src/detect/prove/hostile.ts';
import { sampleOf } from '../src/detect/patterns/pattern-sample.ts';
import { parseTree } from '../src/detect/patterns/pattern-tree.ts';
import { prove } from '../src/detect/prove/prove.ts';
import type { Rule } from '../src/detect/rule.ts';
import { compile } from '../src/detect/ruleset.ts';
import { scan } from '../src/detect/scan.ts';
import { VALIDATORS } from '../src/detect/validators/index.ts';
import { scoresByCategory } from '../src/domain/score.ts';
import { filledIn } from '../src/signatures/filled-in.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { compileAsBuilt } from './helpers/compile-as-built.ts';

const sensitive = loadSignatures().signatures.filter(({ category }) => category === 'sensitive-data');
const compiled = compileAsBuilt(sensitive, DECODERS);
assert.ok('ruleset' in compiled, JSON.stringify(compiled));
const { ruleset } = compiled;
const SERVICES = ['sensitive-ai', 'sensitive-cloud', 'sensitive-developer', 'sensitive-business'];
const services = sensitive.filter(({ source }) => SERVICES.some((name) => source.file.includes(name)));

function found(text: string): readonly string[] {
  const scanned = scan(ruleset, [{ text, role: 'assistant', where: 'text', message: 0 }], { direction: 'response' });
  assert.equal(scanned.kind, 'findings');
  return scanned.kind === 'findings' ? scanned.findings.map(({ signature }) => signature) : [];
}

/** Made up anew for each name, and written nowhere: see filled-in.ts. */
const made = (written: string): string => filledIn(written, 'test');

test('every signature finds its examples, spares its near misses, and no near miss of one is blocked by another', () => {
  assert.deepEqual(
    prove(ruleset, sensitive).map(({ path, message }) => `${path} ${message}`),
    [],
  );
});

test('keys and tokens of more than sixty services have a signature of their own', () => {
  assert.ok(services.length > 60, String(services.length));
  for (const { id, confidence } of services) assert.ok(confidence >= 0.5, `${id} would not block alone`);
});

test('every check is used by a signature, and every signature that needs one names it', () => {
  const used = new Set(sensitive.map(({ check }) => check));
  for (const name of Object.keys(VALIDATORS)) assert.ok(used.has(name), name);
});

/** Of Azurite and of the emulator of Cosmos DB. Both stand in their manuals and in every project that is tested with them. */
const EMULATORS = [
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==',
];

test('the keys that emulators publish for all of their users are spared, and a key of the same form is not', () => {
  const written = (key: string): string[] => [
    `AccountEndpoint=https://localhost:8081/;AccountName=devstoreaccount1;AccountKey=${key};`,
    `account_key: "${key}"`,
    `For the emulator use the key ${key}`,
  ];
  for (const key of EMULATORS) for (const text of written(key)) assert.deepEqual(found(text), [], text);
  for (const text of written(made('«A-Za-z0-9:86»=='))) assert.notDeepEqual(found(text), [], text);
});

const TOKENS = [
  `ghp_«A-Za-z0-9:36»`,
  `sk-ant-api03-«A-Za-z0-9:90»AA`,
  `AKIA«A-Z2-7:16»`,
  `xoxb-«1-9:12»-«1-9:13»-«A-Za-z0-9:24»`,
  `glpat-«A-Za-z0-9:20»`,
  `SG.«A-Za-z0-9:22».«A-Za-z0-9:43»`,
].map(made);

const PLACES = {
  'a JSON string': (token: string) => JSON.stringify({ user: 'bo', credentials: { value: token }, count: 3 }),
  'JSON inside JSON': (token: string) => JSON.stringify({ arguments: JSON.stringify({ value: token }) }),
  'an env file': (token: string) => `PORT=8080\nSOME_SETTING=${token}\nDEBUG=1\n`,
  code: (token: string) => `const client = connect('${token}', { retries: 3 });`,
  'an address': (token: string) => `https://api.intern.net/v1/items?limit=5&auth=${token}&page=2`,
  YAML: (token: string) => `service:\n  value: ${token}\n  port: 80\n`,
  'a sentence': (token: string) => `You can use ${token}, it is valid until Friday.`,
  Markdown: (token: string) => `Run \`deploy --with ${token}\` or **${token}**.`,
  'a header': (token: string) => `GET / HTTP/1.1\r\nX-Custom: ${token}\r\n\r\n`,
  'text of another script': (token: string) => `密钥是${token}。`,
} satisfies Record<string, (token: string) => string>;

for (const [place, put] of Object.entries(PLACES)) {
  test(`a token is found in ${place}`, () => {
    for (const token of TOKENS) assert.notDeepEqual(found(put(token)), [], token.slice(0, 6));
  });
}

test('a secret is found at every distance from the cuts that a long text is read in', () => {
  const card = '4929 2210 8834 1203';
  const crowd = services.map(({ matches }) => (matches[0] as string).slice(0, 9)).join(' ');
  for (let offset = 0; offset < 2600; offset += 13) {
    const text = `${crowd} ${'lorem ipsum '.repeat(300).slice(0, offset)} ${card} ${'dolor sit '.repeat(300)}`;
    assert.ok(found(text).includes('payment-card-number'), `offset ${offset}`);
  }
});

test('a JSON web token is found however long its header is, in prose, in JSON and behind other letters', () => {
  const written = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = written({ iss: 'https://accounts.fleckens.hu', sub: made('«0-9:21»'), exp: 1799999999 });
  for (let kid = 1; kid <= 141; kid += 7) {
    const header = written({ alg: 'RS256', kid: made(`«a-z0-9:${kid}»`), typ: 'JWT' });
    const token = `${header}.${claims}.${made('«A-Za-z0-9_-:342»')}`;
    for (const text of [
      `Here is what the service answered when it was called, in full: ${token} and it is valid for an hour.`,
      JSON.stringify({ message: 'signed in as the user that was asked for', id_token: token, expires_in: 3599 }),
      `The value that the page keeps is session=${token}; Path=/; Secure, as you can see in the browser's tools.`,
    ])
      assert.ok(found(text).includes('json-web-token'), `a header of ${header.length}: ${text.slice(0, 30)}`);
  }
});

test('a token that is longer than its pattern asks for is found by how it begins', () => {
  for (const begin of ['EAAGm0PX4ZCpsBA', 'ATATT3xFfGF0', 'ABSKQmVkcm9ja0FQSUtleS', 'GR1348941'])
    for (const length of [40, 90, 150, 210, 255, 320]) {
      const token = made(`${begin}«A-Za-z0-9:${Math.max(80, length)}»`);
      const text = `As you asked, this is the token that the page was given in the end: ${token} and it never runs out.`;
      assert.notDeepEqual(found(text), [], `${begin} and ${length} more`);
    }
});

test('whatever a proof matches is found behind and before other text, up to its greatest length', () => {
  const pick = chooser(11);
  const never = (): boolean => false;
  const missed = new Set<string>();
  const around = ['lorem ipsum dolor ', 'value=', '{"a": "b", "value":"', '\n\n'];
  for (const rule of ruleset.rules.filter(({ isProven }) => isProven))
    for (const written of rule.signature.patterns) {
      const read = parseTree(written);
      assert.ok(read.ok);
      // Checks ask for values that look drawn, which samples do not.
      const lenient: Rule = {
        ...rule,
        signature: Object.create(rule.signature, { check: { value: undefined } }) as Rule['signature'],
        isReal: () => true,
      };
      for (const choose of [(count: number) => count - 1, () => 0, pick, pick]) {
        const sample = sampleOf(read.tree, choose, Infinity);
        for (const before of around) {
          const text = `${'lorem ipsum dolor '.repeat(30)}${before}${sample} ${'sit amet, consectetur '.repeat(30)}`;
          const isKeyThere = rule.patterns.some((atom) => ruleset.occurs(atom, Buffer.from(text)));
          if (!isKeyThere || !rule.proofs.some((proof) => text.match(proof)?.some((match) => match.includes(sample))))
            continue;
          const sighted = [...ruleset.glance.look(text, never)!.sightings].filter(([sight]) => sight.rule === rule);
          const proven = confirmed(
            ruleset,
            sighted.map(([sight, ranges]) => [{ ...sight, rule: lenient }, ranges]),
            text,
            never,
          );
          if (proven?.length !== 1) missed.add(`${rule.signature.id}: ${before}${sample}`);
        }
      }
    }
  assert.deepEqual([...missed], []);
});

test('digits that are the rest of a longer run are no card, wherever the text is cut', () => {
  const crowd = services.map(({ matches }) => (matches[0] as string).slice(0, 9)).join(' ');
  for (let offset = 0; offset < 1600; offset += 3) {
    const text = `${crowd} ${'lorem ipsum '.repeat(140).slice(0, offset)} ${'a1'.repeat(40)}4929221088341203${'7b'.repeat(40)} ${'dolor '.repeat(300)}`;
    assert.ok(!found(text).includes('payment-card-number'), `offset ${offset}`);
  }
});

test('a number is found whatever dash its groups are joined by, and two years are no number', () => {
  for (const dash of '-\u2010\u2011\u2012\u2013\u2014\u2212') {
    const card = ['4929', '8387', '0635', '6485'].join(dash);
    assert.ok(found(`Your card is ${card}, valid through 09/29.`).includes('payment-card-number'), dash);
    const person = ['562', '94', '6681'].join(dash);
    assert.ok(found(`It was issued as ${person}.`).includes('us-social-security-number'), dash);
    assert.deepEqual(found(`From 1999${dash}2004 and 2010${dash}2012.`), []);
  }
});

test('a card is found behind other groups of four digits, and is the place that is masked', () => {
  for (const before of ['2023 ', 'Invoice 2023 ', 'exp 2027 ', '4000 ', 'ref 4500-', '2024 2025 ', '2024 2025 2026 ']) {
    const text = `${before}4929 8387 0635 6485 so`;
    assert.ok(found(text).includes('payment-card-number'), before);
    const rule = ruleset.rules.find(({ signature }) => signature.id === 'payment-card-number')!;
    const places = [...placesOf(rule, Buffer.from(text))].map(({ start, end }) => text.slice(start, end));
    assert.deepEqual([...new Set(places)], ['4929 8387 0635 6485'], before);
  }
  const groups = '4000 4000 4000 4000 2023 '.repeat(8000);
  const started = performance.now();
  assert.deepEqual(found(groups), []);
  assert.ok(found(`${groups}4929 8387 0635 6485`).includes('payment-card-number'));
  const long = performance.now() - started;
  const again = performance.now();
  found(groups.repeat(3));
  assert.ok(performance.now() - again < 8 * long + 500, `${long}`);
});

test('a private key with a short body is found, and its first and last line alone are none', () => {
  const block = (body: string): string =>
    ['-----BEGIN PRIVATE', ` KEY-----\n${body}\n-----END PRIVATE`, ' KEY-----'].join('');
  assert.ok(found(block('MC4CAQAwBQYDK2Vw')).includes('private-key'));
  assert.ok(found(JSON.stringify(block('MC4CAQAwBQYDK2Vw'))).includes('private-key'));
  for (const none of ['', '...', 'base64', 'YOURKEY', 'privatekey']) assert.deepEqual(found(block(none)), [], none);
  assert.deepEqual(found('-----BEGIN PRIVATE KEY-----'), []);
});

test('a token in the wrong case is another word', () => {
  assert.deepEqual(found(made('akia«a-z:16» is a name')), []);
});

test('what stands in for a secret is spared: words, blanks, references to variables', () => {
  const stood = [
    'AKIAIOSFODNN7EXAMPLE',
    'sk-test-xxxx',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'OPENAI_API_KEY=sk-your-openai-api-key-goes-here-1234567890abcdef',
    'token: ${{ secrets.NPM_TOKEN_2024_PRODUCTION }}',
    'client_secret=<your-client-secret-of-40-characters-1>',
  ];
  for (const text of stood) assert.deepEqual(found(text), [], text);
});

test('all entries that only hint stay below the blocking score when they meet', () => {
  const hints = sensitive.filter(({ id }) =>
    ['email-address', 'phone-number', 'public-ip-address', 'password-assigned'].includes(id),
  );
  const together = scoresByCategory(
    hints.map(({ id, name, category, confidence }) => ({
      signature: id,
      name,
      category,
      confidence,
      role: 'assistant',
      where: '',
      via: [],
    })),
  );
  assert.equal(hints.length, 4);
  assert.ok((together[0]?.score ?? 1) < 0.5);
});

test('places are those of the secret, byte for byte, so that it can be masked', () => {
  const rule = ruleset.rules.find(({ signature }) => signature.id === 'github-token') as Rule;
  const [first, second] = [made('ghp_«A-Za-z0-9:36»'), made('ghs_«A-Za-z0-9:36»')];
  const text = Buffer.from(`é ${first} and ghp_${'x'.repeat(36)} and "${second}".`);
  const cut = [...placesOf(rule, text)].map(({ start, end }) => text.subarray(start, end).toString());
  assert.deepEqual(cut, [first, second]);
});

test('an example is filled in the same way each time, with characters of its class alone', () => {
  const written = 'key_«A-F0-3:24»-«a-z_:8»';
  assert.equal(filledIn(written, 'a'), filledIn(written, 'a'));
  assert.notEqual(filledIn(written, 'a'), filledIn(written, 'b'));
  assert.match(filledIn(written, 'a'), /^key_[A-F0-3]{24}-[a-z_]{8}$/);
  assert.equal(filledIn('« Bonjour », dit-elle : 12 »', 'a'), '« Bonjour », dit-elle : 12 »');
});

test('a check that does not exist, and a pattern that begins with a long class without keys, are refused', () => {
  const [one] = sensitive;
  assert.ok(one !== undefined);
  const unknown = compile([{ ...one, check: 'toString' }], []);
  assert.ok('problems' in unknown && unknown.problems.some(({ message }) => message.includes('is not a check')));
  const endless = compile([{ ...one, patterns: ['[a-z0-9]{20,40}@intern'] }], []);
  assert.ok('problems' in endless && endless.problems.some(({ message }) => message.includes("give it 'keys'")));
});
