import type { Call } from './client-call.ts';
import type { KeptStore } from './client-kept.ts';
import type { ClientHooks, ClientSettings } from './client-settings.ts';
import { parsedJson } from './parsed-json.ts';

/** Follows the policy that the control plane orders: fetches it, and applies it when it is another one. */
export interface PolicyFollower {
  /** A null etag is that of no policy. */
  follow(id: string, etag: string | null): Promise<void>;
  /** Forgets what was refused. */
  reconsider(): void;
}

const MAX_POLICY_BYTES = 524_288;

export function createPolicyFollower(
  settings: Pick<ClientSettings, 'policy'>,
  call: Call,
  store: KeptStore,
  hooks: ClientHooks,
): PolicyFollower {
  /** Wrapped in an object, because null is an etag as well. */
  let refused: { readonly etag: string | null } | null = null;
  return {
    async follow(id, etag) {
      if (!settings.policy || etag === (store.kept().policy?.etag ?? null)) return;
      if (refused !== null && refused.etag === etag) return;
      let value: unknown = null;
      if (etag !== null) {
        const called = await call({ method: 'GET', path: `/v1/instances/${id}/policy`, maxBytes: MAX_POLICY_BYTES });
        if (called.kind !== 'answered' || called.status !== 200) return;
        value = parsedJson(called.bytes);
        if (value === undefined || value === null) return;
      }
      const problems = await hooks.applyPolicy(value);
      if (problems.length > 0) {
        refused = { etag };
        hooks.policyRefused(problems);
        return;
      }
      refused = null;
      store.change({ policy: etag === null ? null : { etag, value } });
      hooks.policyTaken(etag);
    },
    reconsider() {
      refused = null;
    },
  };
}
