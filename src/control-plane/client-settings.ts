import type { BundleFault } from './bundle.ts';
import type { TrustedKey } from './bundle-keys.ts';
import type { Payload } from './bundle-payload.ts';

/** What a client of a control plane is told, and whom it tells. */

export interface ClientSettings {
  readonly url: string;
  readonly apiKey: string;
  /** Null to beat as the control plane says. */
  readonly heartbeatS: number | null;
  readonly name: string;
  readonly group: string;
  readonly folder: string | null;
  /** Whether the policy of the group is applied. */
  readonly policy: boolean;
  readonly trusted: readonly TrustedKey[];
  readonly engine: string;
}

/** Problems as text; empty when the change is in force. Rejects when the failure was not caused by the content. */
type Problems = readonly string[];

export interface ClientHooks {
  /** `fault` says whose the problems are: the bundle's, or this instance's. */
  applyBundle(payload: Payload | null): Promise<{ readonly fault: 'unproven' | 'unfit'; readonly problems: Problems }>;
  applyPolicy(policy: unknown): Promise<Problems>;
  signatureCount(): number;
  connected(instanceId: string): void;
  lost(reason: string): void;
  bundleTaken(version: number): void;
  bundleRefused(version: number, fault: BundleFault, reason: string, problems: readonly string[]): void;
  policyTaken(etag: string | null): void;
  policyRefused(problems: readonly string[]): void;
  notKept(code: string): void;
}
