/** docs/coverage.md, from one run of the whole matrix. No date and no machine in it: the same program gives the same page. */
import { BLOCKING_EVERY_ROLE, CODINGS, FIELDS, LABELS, onRange } from './coverage.ts';
import { everyCell, runBodies, runMatrix, runRoles, runUnread, type Count, type MatrixRun } from './coverage-matrix.ts';
import { row, table } from './markdown.ts';

export async function coveragePage(): Promise<string> {
  const { matrix, bodies, reached } = await onRange(BLOCKING_EVERY_ROLE, async (range) => ({
    matrix: await runMatrix(range, everyCell()),
    bodies: await runBodies(range),
    reached: range.reached(),
  }));
  const { roles, unread } = await onRange({}, async (range) => ({
    roles: await runRoles(range),
    unread: await runUnread(range),
  }));
  const holes = matrix.holes.length + bodies.flatMap(({ endings }) => endings).filter(isHole).length;
  return `# Coverage

<!-- Made by scripts/coverage-docs.mjs from a run of the matrix; nothing here is written by hand. -->

This page shows which parts of a request guard scans, as proven by a test. The test places an attack in every field of every
provider endpoint that can hold text, sends it in every encoding and with every Content-Type, and checks that it never reaches the
upstream.

The test runs with \`failure_mode: closed\` and a policy that blocks attacks in every role. It passes when every request is answered
with an error and none reaches the upstream.

- **${FIELDS.length} fields** of ${endpoints().length} endpoints (OpenAI, Anthropic, Ollama, OpenRouter, Gemini, Bedrock, other clouds, unknown ones) x ${CODINGS.length} encodings x ${LABELS.length} content types: **${matrix.cells}
  requests**
- and ${bodies.length} other bodies that are not plain JSON on a known path, with three attacks each
- neither blocked nor refused: **${holes}**; requests that reached the upstream: **${reached}**

## Encodings and content types

Each cell counts ${FIELDS.length} fields. *Blocked* means that the attack was found (400 \`content_blocked\`). *Refused* means that guard could
not read the body and did not forward it (400 \`unscannable_content\`, 415 \`unsupported_encoding\`). zstd is refused on Node before
22.15, which cannot read it, and blocked otherwise. *BOM* is a byte order mark. Where a wide encoding comes without one, an attack
is blocked if it is found in one of the ways to read the bytes, and the body is refused if it is not.

${grid(matrix)}

## Endpoints

${table(['Wire', 'Path', 'Fields', 'Requests'], endpoints())}

## Other bodies

${table(
  ['Where the attack is', 'Three attacks'],
  bodies.map(({ name, endings }) => [name, [...new Set(endings)].join(', ')]),
)}

## What the default policy blocks, by role

The tables above come from a policy that blocks every role. The default policy does not (\`policy.roles\`): text of the operator's
own application leads to a warning at most. That is text in system and developer messages, in tool definitions, and in replayed
answers of the model. This table shows the first attack in every field, under the default policy:

${table(
  ['Role', 'Fields', 'Decision', 'Forwarded'],
  roles.map(({ role, fields, actions, forwarded }) => [
    role,
    String(fields),
    Object.entries(actions)
      .map(([action, count]) => `${action} ${count}`)
      .join(', '),
    String(forwarded),
  ]),
)}

A client that chooses the roles of its own messages can therefore turn a block into a warning. If you do not trust your clients
with the roles, set these four (\`system\`, \`developer\`, \`assistant\`, \`tool_definition\`) to \`block\`.

## What is not read

Some content holds no text, or its text is not part of the request. guard forwards it unread, and counts it in
\`guard_unscannable_total\`. \`X-Guard-Scanned\` is \`false\` if the content may hold text that was not scanned. To refuse prompts of
token ids, set \`security.token_ids: block\`.

Only bodies are scanned: the path and query of a URL and the values of headers are forwarded unread, and are not counted.

${table(
  ['Content', 'Outcome', 'X-Guard-Scanned'],
  unread.map(({ name, ending, scanned }) => [name, ending, scanned]),
)}
`;
}

const isHole = (ending: string): boolean => ending !== 'blocked' && ending !== 'refused';

function endpoints(): readonly (readonly string[])[] {
  const counts = new Map<string, number>();
  for (const { wire, path } of FIELDS) counts.set(`${wire} ${path}`, (counts.get(`${wire} ${path}`) ?? 0) + 1);
  return [...counts].map(([name, count]) => {
    const [wire = '', path = ''] = name.split(' ');
    return [wire, `\`${path}\``, String(count), String(count * CODINGS.length * LABELS.length)];
  });
}

function grid(matrix: MatrixRun): string {
  const lines = CODINGS.map(({ name }) => {
    const counts = matrix.counts.get(name);
    return row([name, ...LABELS.map((label) => said(counts?.get(label.name), EITHER.has(name)))]);
  });
  return [
    row(['Encoding', ...LABELS.map(({ name }) => name)]),
    row(['---', ...LABELS.map(() => '---')]),
    ...lines,
  ].join('\n');
}

/**
 * Whether these are blocked or refused is no promise: it depends on Node, or on what is found in a guess. With the two
 * counted apart, every change to detection would make another page.
 */
const EITHER = new Set(['zstd', 'UTF-16LE', 'UTF-16BE', 'UTF-32LE']);

function said(count: Count | undefined, either: boolean): string {
  if (count === undefined) return '';
  if (either) return `${count.blocked + count.refused} refused or blocked`;
  const parts = [
    count.blocked > 0 ? `${count.blocked} blocked` : '',
    count.refused > 0 ? `${count.refused} refused` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
