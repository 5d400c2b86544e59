/** What each provider adds to every answer: headers with ids, the need for a credential, and the format of errors. */
import { OLLAMA_MODELS } from './ollama.ts';
import type { Identifiers } from './identifiers.ts';
import { json } from './reply.ts';
import type { Call, Reply } from './reply.ts';

export type Headers = Readonly<Record<string, string>>;

export interface Provider {
  readonly needsKey: boolean;
  headers(ids: Identifiers): Headers;
  failure(status: number, message: string, ids: Identifiers): unknown;
}

export type ProviderName = 'openai' | 'anthropic' | 'ollama';

interface Kind {
  readonly type: string;
  readonly code: string | null;
}

const OPENAI_KINDS: Readonly<Record<number, Kind>> = {
  401: { type: 'invalid_request_error', code: 'invalid_api_key' },
  403: { type: 'invalid_request_error', code: 'unsupported_country_region_territory' },
  404: { type: 'invalid_request_error', code: 'model_not_found' },
  405: { type: 'invalid_request_error', code: 'method_not_supported' },
  429: { type: 'requests', code: 'rate_limit_exceeded' },
};

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export const providers = {
  openai: {
    needsKey: true,
    headers: (ids) => ({
      'x-request-id': ids.hex('req_', 32),
      'openai-version': '2020-10-01',
      'openai-organization': 'org-demo',
      'openai-processing-ms': '12',
      'x-ratelimit-limit-requests': '10000',
      'x-ratelimit-remaining-requests': '9999',
    }),
    failure: (status, message) => {
      const kind = OPENAI_KINDS[status] ?? {
        type: status >= 500 ? 'server_error' : 'invalid_request_error',
        code: null,
      };
      return { error: { message, type: kind.type, param: null, code: kind.code } };
    },
  },
  anthropic: {
    needsKey: true,
    headers: (ids) => ({
      'request-id': ids.letters('req_011', 21),
      'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
      'anthropic-ratelimit-requests-limit': '4000',
      'anthropic-ratelimit-requests-remaining': '3999',
    }),
    failure: (status, message, ids) => {
      const type = ANTHROPIC_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
      return { type: 'error', error: { type, message }, request_id: ids.letters('req_011', 21) };
    },
  },
  ollama: {
    needsKey: false,
    headers: () => ({}),
    failure: (_status, message) => ({ error: message }),
  },
} satisfies Record<ProviderName, Provider>;

const MODELS = ['demo', 'demo-slow', 'fail-429', 'fail-429-final', 'fail-500', 'fail-500-final'] as const;

export function openaiModels({ now }: Call): Reply {
  const created = Math.floor(now / 1000);
  const names = [...MODELS, ...OLLAMA_MODELS];
  return json({ object: 'list', data: names.map((id) => ({ id, object: 'model', created, owned_by: 'demo' })) });
}

export function anthropicModels({ now }: Call): Reply {
  const created_at = new Date(now).toISOString();
  const data = MODELS.map((id) => ({ type: 'model', id, display_name: id, created_at }));
  return json({ data, has_more: false, first_id: MODELS[0], last_id: MODELS[MODELS.length - 1] });
}
