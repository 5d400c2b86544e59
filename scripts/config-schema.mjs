// Writes config.schema.json, with which editors complete and check the YAML, from the schema that the proxy itself
// uses.
// node scripts/config-schema.mjs [--check]    --check only says whether the file is current
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { writeOrCheck } from './page.mjs';
import * as z from 'zod';

const out = process.env.GUARD_BUILD_OUT ?? 'dist';
const { schema } = await import(pathToFileURL(resolve(out, 'src/config/schema.js')).href);

/**
 * Any value may be an environment reference. If editors marked `port: ${PORT}` as an error, people would learn to
 * ignore them.
 */
const FROM_ENVIRONMENT = { type: 'string', pattern: '^\\$\\{[^}]*\\}$' };

const made = z.toJSONSchema(schema, {
  target: 'draft-7',
  io: 'input',
  override({ jsonSchema, path }) {
    // A file without upstreams has those of the shipped file, and not none.
    if (path.join('.') === 'properties.upstreams') delete jsonSchema.default;
    const textual = jsonSchema.type === 'string' && jsonSchema.enum === undefined;
    const scalar = jsonSchema.enum !== undefined || ['integer', 'number', 'boolean'].includes(jsonSchema.type);
    if (textual || !scalar) return;
    const own = {};
    for (const key of Object.keys(jsonSchema).filter((key) => key !== 'default' && key !== 'description')) {
      own[key] = jsonSchema[key];
      delete jsonSchema[key];
    }
    jsonSchema.anyOf = [own, FROM_ENVIRONMENT];
  },
});
const { $schema, ...rest } = made;
const text = `${JSON.stringify({ $schema, title: 'Configuration of guard', ...rest }, null, 2)}\n`;

writeOrCheck('config-schema', { 'config.schema.json': text });
