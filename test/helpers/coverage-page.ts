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

This page shows the result of a test. An attack stands in every place of every endpoint where a provider's wire format lets text stand. It
is sent in every coding and under every label, with \`failure_mode: closed\` and a policy that blocks it whatever its role. A cell of the
tables holds when the answer is a refusal and no request has reached the upstream.

- **${FIELDS.length} fields** of ${endpoints().length} endpoints (OpenAI, Anthropic, Ollama, OpenRouter, unknown ones) x ${CODINGS.length} codings x ${LABELS.length} labels: **${matrix.cells} requests**
- and ${bodies.length} bodies that are no plain JSON under a known path, three attacks each
- neither blocked nor refused: **${holes}**; requests that reached the upstream: **${reached}**

## Codings and labels

Each cell counts ${FIELDS.length} fields. *blocked* is a verdict (400 \`content_blocked\`); *refused* was not read and not forwarded either
(400 \`unscannable_content\`, 415 \`unsupported_encoding\`). zstd is refused where Node cannot read it, before 22.15, and else blocked.

${grid(matrix)}

## Endpoints

${table(['Wire', 'Path', 'Fields', 'Requests'], endpoints())}

## Other bodies

${table(
  ['Where the attack stands', 'Three attacks'],
  bodies.map(({ name, endings }) => [name, [...new Set(endings)].join(', ')]),
)}

## Who may write it

The matrix above blocks every role. The policy that guard ships with lets text of the operator's own application - system and
developer messages, definitions of tools, and the answers of the model that are replayed - cause a warning at most
(\`policy.roles\`). The first attack in every field, under that policy:

${table(
  ['Role', 'Fields', 'Decided', 'Forwarded'],
  roles.map(({ role, fields, actions, forwarded }) => [
    role,
    String(fields),
    Object.entries(actions)
      .map(([action, count]) => `${action} ${count}`)
      .join(', '),
    String(forwarded),
  ]),
)}

A client that may choose the roles of its messages can therefore have an attack warned about instead of blocked. Where the senders
of requests are not trusted with the roles, set those four to \`block\`.

## What nobody here can read

Not proven above, because there is no text in it, or none that passes by. It is forwarded; \`X-Guard-Scanned\` says \`false\` where text
may have gone unread, and a metric counts it. Prompts as token ids are refused with \`security.token_ids: block\`.

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
    return row([name, ...LABELS.map((label) => said(counts?.get(label.name), name === 'zstd'))]);
  });
  return [row(['Coding', ...LABELS.map(({ name }) => name)]), row(['---', ...LABELS.map(() => '---')]), ...lines].join(
    '\n',
  );
}

function said(count: Count | undefined, either: boolean): string {
  if (count === undefined) return '';
  if (either) return `${count.blocked + count.refused} refused or blocked`;
  const parts = [
    count.blocked > 0 ? `${count.blocked} blocked` : '',
    count.refused > 0 ? `${count.refused} refused` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
