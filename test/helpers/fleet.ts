/** Many instances without their proxies: the client itself, with hooks that note what it was given. */
import { startClient, type Client } from '../../src/control-plane/client.ts';
import { createEvents, type Events } from '../../src/control-plane/client-events.ts';
import { NOTHING_KEPT, type Kept } from '../../src/control-plane/client-kept.ts';
import type { TrustedKey } from '../../src/control-plane/bundle-keys.ts';
import { openExchange } from '../../src/domain/exchange.ts';
import { CLEAN } from '../../src/domain/verdict.ts';
import { mergeSignatures, type Payload } from '../../src/control-plane/bundle-payload.ts';

export interface Member {
  readonly client: Client;
  readonly events: Events;
  /** What happened, in order: connected, lost, taken 3, refused 4 unproven. */
  readonly story: string[];
  version(): number;
  /** One exchange that was blocked or passed. */
  exchange(action: 'allow' | 'block', signature?: string): void;
}

export interface MemberOptions {
  readonly url: string;
  readonly key: string;
  readonly name: string;
  readonly group: string;
  readonly trusted: readonly TrustedKey[];
  /** Signatures whose examples would not hold here: the proof that a proxy does on its threads. */
  readonly unproven?: (payload: Payload) => boolean;
  /** The same of those that are shipped, or stand in the operator's own files. */
  readonly shippedHold?: () => boolean;
  readonly kept?: Kept;
}

export function startMember(options: MemberOptions): Member {
  const { url, key, name, group, trusted, unproven = () => false, shippedHold = () => true } = options;
  const story: string[] = [];
  let version = 0;
  const events = createEvents((count) => story.push(`dropped ${count}`));
  const client = startClient(
    { url, apiKey: key, heartbeatS: 1, name, group, folder: null, policy: true, trusted, engine: '0.1.0' },
    {
      async applyBundle(payload) {
        const refusing = (problems: readonly string[]) => ({ fault: 'unproven' as const, problems });
        if (payload === null) return refusing(shippedHold() ? [] : ['an example is not found']);
        const { problems } = mergeSignatures([], payload, []);
        if (problems.length > 0) return refusing(problems.map(({ message }) => message));
        return refusing(unproven(payload) ? ['an example is not found'] : []);
      },
      applyPolicy: async () => [],
      signatureCount: () => 1,
      connected: () => void story.push('connected'),
      lost: (reason) => void story.push(`lost: ${reason}`),
      bundleTaken(taken) {
        version = taken;
        story.push(`taken ${taken}`);
      },
      bundleRefused: (refused, fault) => void story.push(`refused ${refused} ${fault}`),
      policyTaken: (etag) => void story.push(`policy ${etag ?? 'none'}`),
      policyRefused: () => void story.push('policy refused'),
      notKept: () => void story.push('not kept'),
    },
    events,
    options.kept ?? NOTHING_KEPT,
  );
  return {
    client,
    events,
    story,
    version: () => version,
    exchange(action, signature = 'Some signature') {
      const verdict =
        action === 'block'
          ? { ...CLEAN, action, category: 'jailbreak' as const, signatureName: signature, confidence: 1 }
          : CLEAN;
      events.observe({ ...openExchange('id', null, 'POST', 0), upstream: 'llm-a', scanned: true, scanMs: 1, verdict });
    },
  };
}
