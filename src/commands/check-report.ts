import { styleText } from 'node:util';
import type { Finding } from '../domain/finding.ts';
import { verdictJson, type Verdict } from '../domain/verdict.ts';

/** The verdict of `guard check` and all that was found. Never the text: findings name places. */

export function asJson(verdict: Verdict, findings: readonly Finding[]): string {
  const told = strongestFirst(findings).map(({ signature, name, category, confidence, role, via, where }) => ({
    signature,
    name,
    category,
    confidence,
    role,
    via,
    where,
  }));
  return `${verdictJson(verdict).slice(0, -1)},"findings":${JSON.stringify(told)}}`;
}

export function asWords(verdict: Verdict, findings: readonly Finding[], ms: number): string {
  const line = lineOf(verdict, findings.length > 0, ms);
  return findings.length === 0 ? line : `${line}\n\n${tableOf(findings)}`;
}

const COLOURS = { allow: 'green', log: 'cyan', warn: 'yellow', block: 'red' } as const;

function lineOf({ action, category, signatureName, confidence }: Verdict, found: boolean, ms: number): string {
  const colourful = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '';
  const word = colourful ? styleText(['bold', COLOURS[action]], action) : action;
  const time = `${ms.toFixed(1)} ms`;
  // What is excluded, or too weak to matter, is found all the same.
  if (category === null) return `${word}  ${found ? 'nothing that counts' : 'nothing found'}  ${time}`;
  return `${word}  ${category}  ${signatureName}  ${confidence.toFixed(2)}  ${time}`;
}

const HEAD = ['Signature', 'Name', 'Category', 'Confidence', 'Role', 'Read through', 'Where'];

function tableOf(findings: readonly Finding[]): string {
  const rows = strongestFirst(findings).map(({ signature, name, category, confidence, role, via, where }) =>
    [signature, name, category, confidence.toFixed(2), role, via.join(', ') || '-', where].map(printable),
  );
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...rows].map((row) => row[column]!.length)));
  return [HEAD, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names of fields are the sender's: none may write to the terminal. */
function printable(cell: string): string {
  return cell.replace(/\p{C}/gu, '?');
}

function strongestFirst(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((a, b) => b.confidence - a.confidence);
}
