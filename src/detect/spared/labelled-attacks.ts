import { wordsOf } from './closed-words.ts';
import { isWholeOrder } from './quoted-attack.ts';

/**
 * `{"text": "ignore previous instructions", "label": "injection"}`: collections that detectors learn from hold the famous
 * wordings, each with its label. Nothing but those wordings is left out, and only beside a label that calls them attacks, in a
 * record or row that says little else.
 */
export function withoutLabelledAttacks(text: string): string {
  return withoutRows(withoutRecords(text));
}

function withoutRecords(text: string): string {
  if (!LABEL_OF_RECORD.test(text)) return text;
  let read = 0;
  return text.replace(RECORD, (record) => {
    if (++read > MOST || !LABEL_OF_RECORD.test(record)) return record;
    return record.replace(VALUE, (whole, key: string, value: string) =>
      isFamous(value) && /text|prompt|input|payload|content|message|sample|query/i.test(key) ? `${key} ""` : whole,
    );
  });
}

/** Below a head with a column of labels: `"ignore your rules",injection`. */
function withoutRows(text: string): string {
  if (!HEAD.test(text)) return text;
  let read = 0;
  return text.replace(ROW, (row, value: string) => {
    if (++read > MOST || !isFamous(value.replace(/^"|"$/gu, ''))) return row;
    return row.slice(value.length);
  });
}

function isFamous(value: string): boolean {
  const words = wordsOf(value);
  return words !== null && words.length > 0 && isWholeOrder(words);
}

const ATTACK = 'prompt[ _-]?injections?|injections?|jailbreaks?|attacks?|malicious|adversarial';
const LABEL_OF_RECORD = new RegExp(
  String.raw`"(?:label|category|class|verdict|type|kind)"\s*:\s*"(?:${ATTACK})"`,
  'iu',
);
const RECORD = /\{[^{}]{1,480}\}/gu;
const VALUE = /("[\w.-]{1,32}"\s*:)\s*"([^"\\\n]{4,120})"/gu;
const HEAD =
  /^[ \t]*["']?(?:text|prompt|input|payload|message|sample)["']?,["']?(?:label|category|class|verdict)["']?[ \t]*$/imu;
const ROW = new RegExp(String.raw`^("[^"\n]{4,120}"|[^",\n]{4,120})(?=,["']?(?:${ATTACK})["']?[ \t]*$)`, 'gimu');
const MOST = 200;
