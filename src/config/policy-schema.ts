import * as z from 'zod';
import { ROLES } from '../domain/passage.ts';
import type { Role } from '../domain/passage.ts';
import { ACTIONS, CATEGORIES } from '../domain/verdict.ts';
import type { Action, Category } from '../domain/verdict.ts';
import { address, day, fallbacks, ratio, text, textThat } from './kinds.ts';

/** The schema of a policy: complete at the top level, and as a set of overrides in an upstream or a shadow policy. */

const action = () => z.enum(ACTIONS);

function eachOf<Name extends string, Schema>(names: readonly Name[], schema: (name: Name) => Schema) {
  return Object.fromEntries(names.map((name) => [name, schema(name)])) as Record<Name, Schema>;
}

const exclusion = z
  .strictObject({
    signature: text(200, 'the id of a signature')
      .optional()
      .describe('Id of the signature whose findings do not count. Give either this or `category`.'),
    category: z
      .enum(CATEGORIES)
      .optional()
      .describe('Category whose findings do not count. Give either this or `signature`.'),
    upstream: text(64, 'the name of an upstream').optional().describe('Only for this upstream.'),
    path: textThat((value) => /^\/[^\s?#*]*$/.test(value), 'the beginning of a path, such as /v1/chat; no * ? or #')
      .optional()
      .describe(
        'Only for this path and those below it: /v1/chat covers /v1/chat/completions, not /v1/chatter. It starts below the name of the upstream: /v1/chat, not /llm-a/v1/chat.',
      ),
    client: address().optional().describe('Only for the client of this address.'),
    until: day().optional().describe('The last day (UTC) on which the exclusion holds.'),
    reason: text(500, 'why it is excluded').describe('Why it is excluded, for whoever reads the entry next year.'),
  })
  .superRefine(({ signature, category }, context) => {
    if (signature === undefined && category === undefined) {
      context.addIssue('names nothing to leave out: give `signature` or `category`');
    }
    if (signature !== undefined && category !== undefined) {
      context.addIssue('give either `signature` or `category`, not both');
    }
  });

/** What an absent key defaults to, in words. The code is in src/config/resolve.ts. */
const CATEGORY_FALLBACKS = {
  'prompt-injection': { action: '`default_action`', request: 'the same as `action`' },
  jailbreak: { action: '`default_action`', request: 'the same as `action`' },
  'encoding-evasion': { action: '`"warn"`, or `default_action` where that is milder', request: 'the same as `action`' },
  'sensitive-data': { action: '`default_action`', request: '`"allow"`: requests are not searched for it' },
} satisfies Record<Category, { readonly action: string; readonly request: string }>;

function category(name: Category) {
  const { action: ofAction, request: ofRequest } = CATEGORY_FALLBACKS[name];
  const secrets = name === 'sensitive-data';
  return z.strictObject({
    action: action()
      .optional()
      .describe(
        secrets
          ? 'What a finding in a response leads to. Responses are scanned only with `scanner.response.enabled`.'
          : 'What a finding that counts leads to.',
      )
      .register(fallbacks, { fallback: ofAction }),
    request_action: action()
      .optional()
      .describe(
        secrets
          ? 'What a finding in a request leads to. With `allow`, requests are not searched for secrets at all, which saves time.'
          : 'Takes the place of `action` for requests; `action` then holds for responses only.',
      )
      .register(fallbacks, { fallback: ofRequest }),
    sensitivity: ratio()
      .optional()
      .describe('Takes the place of `policy.sensitivity` for this category.')
      .register(fallbacks, { fallback: '`policy.sensitivity`' }),
  });
}

const CATEGORY_NOTES = {
  'prompt-injection': 'Orders that are to override the instructions of the application.',
  jailbreak: 'Talking a model out of its rules.',
  'encoding-evasion':
    'Text that is hidden or disguised. By itself it is only warned about, since honest text is encoded, too.',
  'sensitive-data':
    'Secrets and personal data (docs/sensitive-data.md). Looked for in responses; in requests only when `request_action` is set.',
} satisfies Record<Category, string>;

const categories = z.strictObject(
  eachOf(CATEGORIES, (name) => category(name).optional().describe(CATEGORY_NOTES[name])),
);

const exclusions = z.array(exclusion).max(1000);

const partialPolicy = {
  sensitivity: ratio().optional().describe('Overrides `policy.sensitivity`.'),
  default_action: action().optional().describe('Overrides `policy.default_action`.'),
  categories: categories.optional().describe('Overrides `policy.categories`, key by key.'),
  roles: z
    .strictObject(eachOf(ROLES, () => action().optional()))
    .optional()
    .describe('Overrides `policy.roles`, key by key.'),
  exclusions: exclusions.optional().describe('Replaces `policy.exclusions`.'),
};

const shadow = z.strictObject(partialPolicy);

/** A description of each role, for the generated documentation. */
const ROLE_TEXTS = {
  system: 'a system prompt',
  developer: 'a message of the developer',
  user: 'a message of the user',
  assistant: 'an earlier answer of the model, sent again in a request,',
  tool_result: 'the result of a tool',
  tool_definition: 'the definition of a tool',
  document: 'a document that was handed to the model',
  other: 'any other text of a request',
} satisfies Record<Role, string>;

/**
 * Text that the operator's own application writes is at most warned about: a system prompt may well mention
 * injections.
 */
const ROLE_CEILINGS = {
  system: 'warn',
  developer: 'warn',
  user: 'block',
  assistant: 'warn',
  tool_result: 'block',
  tool_definition: 'warn',
  document: 'block',
  other: 'block',
} satisfies Record<Role, Action>;

export const policy = z.strictObject({
  sensitivity: ratio()
    .default(0.5)
    .describe(
      'How little is enough. Findings of a category count when their score together reaches 1 - sensitivity: 0.5 by default. Higher finds more and errs more.',
    ),
  default_action: action()
    .default('block')
    .describe(
      'What findings that count lead to, where their category has no action of its own. `log` is a dry run: nothing is blocked.',
    ),
  categories: categories.prefault({}).describe('What each category leads to.'),
  roles: z
    .strictObject(
      eachOf(ROLES, (role) =>
        action().default(ROLE_CEILINGS[role]).describe(`The strictest action that ${ROLE_TEXTS[role]} can lead to.`),
      ),
    )
    .prefault({})
    .describe('The strictest action that text of each role can lead to.'),
  exclusions: exclusions
    .default([])
    .describe(
      'Findings that do not count. Each entry needs a reason; give it an upstream, a path or a client, and a last day.',
    ),
  shadow: shadow
    .nullable()
    .default(null)
    .describe(
      'A second policy to try out. Write only what differs from this one. What it would do is counted and logged, and never done.',
    ),
});

export const policyOfUpstream = z.strictObject({
  ...partialPolicy,
  shadow: shadow.nullable().optional().describe('Replaces `policy.shadow`.'),
});
