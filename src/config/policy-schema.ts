import * as z from 'zod';
import { ROLES } from '../domain/passage.ts';
import type { Role } from '../domain/passage.ts';
import { ACTIONS, CATEGORIES } from '../domain/verdict.ts';
import type { Action, Category } from '../domain/verdict.ts';
import { address, day, ratio, text, textThat } from './kinds.ts';

/** The policy as it may be typed: whole at the top, and as differences in an upstream or a shadow. */

const action = () => z.enum(ACTIONS);

function eachOf<Name extends string, Schema>(names: readonly Name[], schema: (name: Name) => Schema) {
  return Object.fromEntries(names.map((name) => [name, schema(name)])) as Record<Name, Schema>;
}

const exclusion = z
  .strictObject({
    signature: text(200, 'the id of a signature')
      .optional()
      .describe('Id of the signature to leave out. Either this or `category`.'),
    category: z.enum(CATEGORIES).optional().describe('Category to leave out. Either this or `signature`.'),
    upstream: text(64, 'the name of an upstream').optional().describe('Only for this upstream.'),
    path: textThat((value) => /^\/[^\s?#*]*$/.test(value), 'the beginning of a path, such as /v1/chat; no * ? or #')
      .optional()
      .describe('Only for paths below the prefix that begin like this.'),
    client: address().optional().describe('Only for the client of this address.'),
    until: day().optional().describe('Its last day (UTC); afterwards the exclusion no longer counts.'),
    reason: text(500, 'why it is excluded').describe('Why, for the colleague who reads it next year.'),
  })
  .superRefine(({ signature, category }, context) => {
    if (signature === undefined && category === undefined) {
      context.addIssue('names nothing to leave out: give `signature` or `category`');
    }
    if (signature !== undefined && category !== undefined) {
      context.addIssue('give either `signature` or `category`, not both');
    }
  });

const category = z.strictObject({
  action: action().optional().describe('What a finding that counts leads to.'),
  request_action: action().optional().describe('The same for requests only, when it must differ.'),
  sensitivity: ratio().optional().describe('Overrides the sensitivity for this category.'),
});

const CATEGORY_NOTES = {
  'prompt-injection': 'Default action: `default_action`.',
  jailbreak: 'Default action: `default_action`.',
  'encoding-evasion': 'Default action: `warn`, or `default_action` where that is milder.',
  'sensitive-data':
    'Default action: `default_action` on responses, `allow` on requests: set `request_action` to have those searched, too.',
} satisfies Record<Category, string>;

const categories = z.strictObject(eachOf(CATEGORIES, (name) => category.optional().describe(CATEGORY_NOTES[name])));

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

/** Text that the operator's own application writes is at most warned about: a system prompt may well speak of injections. */
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
  sensitivity: ratio().default(0.5).describe('0 to 1. A finding counts when its score reaches 1 - sensitivity.'),
  default_action: action()
    .default('block')
    .describe(
      'What a finding that counts leads to, unless its category says otherwise. `log` here is a dry run of everything.',
    ),
  categories: categories.prefault({}).describe('What each category leads to.'),
  roles: z
    .strictObject(
      eachOf(ROLES, (role) =>
        action().default(ROLE_CEILINGS[role]).describe(`The most that text of the role ${role} can lead to.`),
      ),
    )
    .prefault({})
    .describe('The most that text of each role can lead to.'),
  exclusions: exclusions
    .default([])
    .describe('Findings that do not count here: scoped, with a reason, best with an end.'),
  shadow: shadow
    .nullable()
    .default(null)
    .describe(
      'A second policy, written as its differences from this one, evaluated on the same findings: counted and logged, never enforced.',
    ),
});

export const policyOfUpstream = z.strictObject({
  ...partialPolicy,
  shadow: shadow.nullable().optional().describe('Replaces `policy.shadow`.'),
});
