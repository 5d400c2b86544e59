import type { Config } from '../../config/config.ts';
import { parseConfig } from '../../config/load.ts';
import { withPolicy } from '../../config/with-policy.ts';
import { checkRefusal } from '../../domain/check.ts';
import type { Finding } from '../../domain/finding.ts';
import { jobOfText } from '../../domain/lone-text.ts';
import { refusalForFailure } from '../../domain/failure.ts';
import { formatProblem } from '../../domain/problem.ts';
import { decide, scansRequestsForSecrets, type ScanContext } from '../../domain/policy.ts';
import { refuse, type Refusal } from '../../domain/refusal.ts';
import { publicVerdict, type Verdict } from '../../domain/verdict.ts';
import { createPool } from '../../scanner/pool.ts';
import type { Scanner } from '../../scanner/scanner.ts';
import { loadSignatures } from '../../signatures/load.ts';

/**
 * The control plane's own POST /check. It scans here, gives the same verdicts as a proxy, and applies the policy of
 * the default group.
 */

export interface HostedCheck {
  /** `maxBytes`: how long the body may be when it is unpacked. */
  check(bytes: Buffer, contentType: string, contentEncoding: string, maxBytes: number): Promise<HostedAnswer>;
  /**
   * Judges one text as a user's message and returns every finding. This is for operators, who may see the ids of
   * signatures.
   */
  explain(text: string): Promise<Explained | Refusal>;
  close(): Promise<void>;
}

export type HostedAnswer =
  | { readonly kind: 'verdicts'; readonly isList: boolean; readonly verdicts: readonly Verdict[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface Explained {
  readonly verdict: object;
  readonly findings: readonly object[];
  readonly ms: number;
}

export interface HostedCheckSettings {
  readonly threads: number;
  /** The longest body that may come. */
  readonly maxBytes: number;
}

/** Fails closed: an answer "allowed" for a text that was not scanned would be worthless. */
const FAILURE = { failure_mode: 'closed', overload: 'shed', token_ids: 'allow' } as const;
const MOST_FINDINGS = 50;

/** Starts a scanner with the shipped signatures. */
export async function createHostedCheck(
  settings: HostedCheckSettings,
  policyText: () => { readonly etag: string; readonly text: string } | null,
  onWorker: (event: string) => void,
  onMisfit: (problems: readonly string[]) => void,
): Promise<HostedCheck> {
  const { config } = parseConfig('{}', { file: 'defaults', env: {} });
  const { signatures, problems } = loadSignatures();
  if (config === null || problems.length > 0) throw new Error('the shipped signatures cannot be read');
  const made = await createPool(
    signatures,
    { ...settings, likeness: config.scanner.likeness, timeoutMs: config.security.scanner_timeout_ms },
    { worker: onWorker, log: (message, _reason, level) => level !== 'info' && onWorker(message) },
  );
  if (made.problems.length > 0) {
    await made.scanner.close();
    throw new Error('the shipped signatures do not keep what their examples promise');
  }
  return hostedCheckOn(made.scanner, policyIn(config, policyText, onMisfit));
}

/** The same on an existing scanner. */
export function hostedCheckOn(
  scanner: Pick<Scanner, 'check' | 'scan' | 'close'>,
  policy: () => Config['policy'],
): HostedCheck {
  return {
    async check(bytes, contentType, contentEncoding, maxBytes) {
      const now = policy();
      const checked = await scanner.check({
        bytes,
        wire: 'generic',
        direction: 'request',
        sensitive: scansRequestsForSecrets(now),
        path: '/check',
        contentType,
        contentEncoding,
        maxBytes,
      });
      if (checked.kind === 'invalid') return { kind: 'refused', refusal: checkRefusal(checked.fault) };
      const verdicts: Verdict[] = [];
      for (const outcome of checked.outcomes) {
        if (outcome.kind === 'report') verdicts.push(decide(now, outcome.findings, scanContext()));
        else return { kind: 'refused', refusal: refusalForFailure(outcome, FAILURE) ?? refuse('scanner_error') };
      }
      return { kind: 'verdicts', isList: checked.isList, verdicts };
    },
    async explain(text) {
      const now = policy();
      const startedAt = performance.now();
      const outcome = await scanner.scan(jobOfText(text, 'request', 'user', true));
      if (outcome.kind !== 'report') return refusalForFailure(outcome, FAILURE) ?? refuse('scanner_error');
      return {
        verdict: publicVerdict(decide(now, outcome.findings, scanContext())),
        findings: outcome.findings.slice(0, MOST_FINDINGS).map(shown),
        ms: Math.round((performance.now() - startedAt) * 100) / 100,
      };
    },
    close: () => scanner.close(),
  };
}

/**
 * The current policy, parsed again only when its etag changes. A policy that cannot be applied was stored by another
 * version of this server: the previous one stays in force.
 */
function policyIn(
  config: Config,
  policyText: () => { etag: string; text: string } | null,
  onMisfit: (problems: readonly string[]) => void,
): () => Config['policy'] {
  let etag: string | null = null;
  let { policy } = config;
  return () => {
    const given = policyText();
    if ((given?.etag ?? null) === etag) return policy;
    etag = given?.etag ?? null;
    const overlaid =
      given === null ? { config, problems: [] } : withPolicy(config, withoutUpstreams(JSON.parse(given.text)));
    if (overlaid.config === null) onMisfit(overlaid.problems.map(formatProblem));
    else ({ policy } = overlaid.config);
    return policy;
  };
}

/**
 * Without the exclusions for one upstream. A text that is checked here goes to none, so they would never count; but
 * this server has no upstreams, and would refuse the whole policy for naming one.
 */
function withoutUpstreams(policy: Readonly<Record<string, unknown>>): object {
  const { exclusions } = policy;
  if (!Array.isArray(exclusions)) return policy;
  const everywhere = exclusions.filter((each: { upstream?: unknown } | null) => each?.upstream === undefined);
  return { ...policy, exclusions: everywhere };
}

function scanContext(): ScanContext {
  return { direction: 'request', upstream: null, path: '/check', client: () => null, now: Date.now() };
}

function shown({ signature, name, category, confidence, via, where }: Finding): object {
  return { signature, name, category, confidence, readings: via, where };
}
