import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { fixtureLines } from './helpers/fixture.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { UNHURRIED, verdictsOn } from './helpers/verdicts.ts';

/** What attackers want, worded in five languages before the word lists of these languages were; no line of it is a pattern. */
interface Paraphrase {
  readonly language: string;
  readonly intent: string;
  readonly text: string;
}

const INTENTS = ['override', 'extract', 'persona', 'exfiltrate', 'hijack'];
const LANGUAGES = ['de', 'es', 'fr', 'ru', 'zh'];
const FEWEST_SEEN = 0.7;

const PARAPHRASES = fixtureLines<Paraphrase>('paraphrases');

let guard: Guard;
before(async () => {
  guard = await startGuard({ config: UNHURRIED });
});
after(() => guard.close());

it('each language has forty paraphrases or more, of all intents', () => {
  for (const language of LANGUAGES) {
    const mine = PARAPHRASES.filter((one) => one.language === language);
    assert.ok(mine.length >= 40, `${language}: ${mine.length}`);
    for (const intent of INTENTS) assert.ok(mine.filter((one) => one.intent === intent).length >= 5, intent);
  }
});

it('in each language seven of ten are seen', async () => {
  const told = await verdictsOn(
    guard,
    PARAPHRASES.map(({ text }) => text),
  );
  for (const language of LANGUAGES) {
    const seen = PARAPHRASES.flatMap((one, i) => (one.language === language ? [told[i]?.action !== 'allow'] : []));
    const share = seen.filter(Boolean).length / seen.length;
    assert.ok(share >= FEWEST_SEEN, `${language}: ${(100 * share).toFixed(1)} %`);
  }
});
