/** Generated benign texts for the part `scan`, and RE2 sets of the same patterns for comparison. */
import RE2 from 're2';
import { inFull } from '../src/detect/patterns/pattern.ts';
import type { Ruleset } from '../src/detect/ruleset.ts';
import { OVERLAP, SLICE } from '../src/detect/engine/windows.ts';
import { prose, type Random } from './corpus.ts';

const NAMES = 'user order item total index cache buffer request reply config session parser token state value'.split(
  ' ',
);

/** Source code: names, calls, numbers, comments, and sometimes a hash. */
function code(chars: number, random: Random): string {
  const name = (): string => NAMES[Math.floor(random() * NAMES.length)]!;
  const number = (below: number): number => Math.floor(random() * below);
  const lines: string[] = [];
  for (let length = 0; length < chars;) {
    const line = [
      `export function ${name()}${number(90)}(${name()}: string, ${name()}: number): ${name()}List {`,
      `  const ${name()} = await this.${name()}.${name()}('${name()}/${name()}', { limit: ${number(500)}, retry: true });`,
      `  if (${name()}.length > ${number(4096)} && !${name()}.${name()}) return null; // ${prose(40, random).trim()}`,
      `  for (let i = 0; i < ${name()}.length; i += 1) ${name()}[i] = (${name()}[i] ?? 0) * ${number(100) / 10};`,
      `    throw new Error(\`${name()} \${${name()}} is not a ${name()}\`);`,
      `  }`,
    ][number(6)]!;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n').slice(0, chars);
}

/** The result of a tool: JSON inside a text. */
function data(chars: number, random: Random): string {
  const rows: string[] = [];
  for (let length = 0; length < chars;) {
    const id = Math.floor(random() * 1e9);
    const row = JSON.stringify({
      id,
      name: prose(18, random).trim(),
      at: '2026-11-21T10:00:00Z',
      price: id / 1e5,
      ok: id % 2 > 0,
    });
    rows.push(row);
    length += row.length + 2;
  }
  return `[${rows.join(',\n')}]`.slice(0, chars);
}

const CHINESE = '我们今天讨论的问题是如何在不同的城市之间安排会议时间并且把每个人的意见写进报告里面谢谢大家的帮助';
const RUSSIAN =
  'сегодня мы обсуждаем отчет о поездке и готовим письмо для клиента завтра утром нужно проверить все цифры'.split(' ');
const GERMAN =
  'heute prüfen wir den bericht über die reise und schreiben für müller eine kurze übersicht der größten posten'.split(
    ' ',
  );

/** Three languages in turn, whose text is not ASCII. */
function languages(chars: number, random: Random): string {
  const word = (words: readonly string[]): string => words[Math.floor(random() * words.length)]!;
  const parts: string[] = [];
  for (let length = 0; length < chars;) {
    const at = Math.floor(random() * (CHINESE.length - 12));
    const part = [
      `${CHINESE.slice(at, at + 6)}，${CHINESE.slice(at + 6, at + 12)}。`,
      `${word(RUSSIAN)} ${word(RUSSIAN)} ${word(RUSSIAN)}, ${word(RUSSIAN)} ${word(RUSSIAN)}. `,
      `${word(GERMAN)} ${word(GERMAN)} ${word(GERMAN)} ${word(GERMAN)}. `,
    ][Math.floor(random() * 3)]!;
    parts.push(part);
    length += part.length;
  }
  return parts.join('').slice(0, chars);
}

export const BENIGN = { prose, code, data, languages } satisfies Record<
  string,
  (chars: number, random: Random) => string
>;

export interface BareSet {
  readonly patterns: number;
  /** The number of sets: RE2 refuses a set that is too large. */
  readonly sets: number;
  readonly match: (bytes: Buffer) => void;
}

const MEMORY = 64 * 2 ** 20;

/** The patterns of the rules in a plain RE2.Set, which reads the text in slices as our scan does. */
export function bareSet(ruleset: Ruleset, secretsToo: boolean): BareSet {
  const rules = ruleset.rules.filter(({ signature }) => secretsToo || signature.category !== 'sensitive-data');
  const sources = rules.flatMap(({ patterns, near, all, proofs }) => {
    const looked = [...(proofs.length > 0 ? [] : patterns), ...near, ...all];
    return looked.map((atom) => inFull(ruleset.atoms[atom]!.source)).concat(proofs.map(({ source }) => source));
  });
  const unique = [...new Set(sources)];
  const sets = setsOf(unique);
  return {
    patterns: unique.length,
    sets: sets.length,
    match(bytes) {
      for (const set of sets)
        for (let at = 0; at < bytes.length; at += SLICE - OVERLAP) set.match(bytes.subarray(at, at + SLICE));
    },
  };
}

function setsOf(sources: readonly string[]): InstanceType<typeof RE2.Set>[] {
  try {
    return [new RE2.Set([...sources], 'iu', { maxMem: MEMORY })];
  } catch (error) {
    if (sources.length < 2) throw error;
    const half = sources.length >> 1;
    return [...setsOf(sources.slice(0, half)), ...setsOf(sources.slice(half))];
  }
}
