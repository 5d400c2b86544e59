import { BUNDLE_FAULTS, clockFault, MAX_BUNDLE_BYTES, openBundle, type BundleFault, type Manifest } from './bundle.ts';
import type { Call } from './client-call.ts';
import type { Kept, KeptStore } from './client-kept.ts';
import type { ClientHooks, ClientSettings } from './client-settings.ts';
import type { Orders } from './protocol.ts';

/** Follows the bundle that the control plane orders: fetches it, verifies it, and applies it when it can be trusted. */
export interface BundleFollower {
  follow(id: string, wanted: NonNullable<Orders['bundle']>): Promise<void>;
  /** What was refused last, for the heartbeat. */
  refused(): { readonly version: number; readonly fault: BundleFault } | null;
  /** Forgets what was refused. */
  reconsider(): void;
}

/** The last refused bundle, remembered so that it is neither fetched nor logged again with each heartbeat. */
interface RefusedBundle {
  readonly version: number;
  readonly digest: string;
  readonly fault: BundleFault;
  /** The manifest, when only the clock speaks against the bundle. It is fetched again once the clock no longer does. */
  readonly untimely: Manifest | null;
}

export function createBundleFollower(
  settings: Pick<ClientSettings, 'trusted' | 'engine'>,
  call: Call,
  store: KeptStore,
  hooks: ClientHooks,
  onTaken: () => void,
): BundleFollower {
  let refused: RefusedBundle | null = null;

  async function followBundle(id: string, wanted: NonNullable<Orders['bundle']>): Promise<void> {
    if (wanted.digest === (store.kept().bundle?.digest ?? '')) {
      refused = null;
      return;
    }
    if (refused?.version === wanted.version && refused.digest === wanted.digest && !inTimeNow(refused)) return;
    const refuse = (fault: BundleFault, problems: readonly string[] = [], untimely: Manifest | null = null): void => {
      refused = { version: wanted.version, digest: wanted.digest, fault, untimely };
      hooks.bundleRefused(wanted.version, fault, BUNDLE_FAULTS[fault], problems);
    };
    if (wanted.version === 0) {
      if (store.kept().floor > 0) {
        refuse('rollback');
        return;
      }
      const { problems } = await hooks.applyBundle(null);
      if (problems.length > 0) refuse('unproven', problems);
      else taken(null);
      return;
    }
    const called = await call({ method: 'GET', path: `/v1/instances/${id}/bundle`, maxBytes: MAX_BUNDLE_BYTES });
    if (called.kind === 'too-large') refuse('oversize');
    if (called.kind !== 'answered' || called.status !== 200) return;
    const held = store.kept().bundle;
    const opened = openBundle(called.bytes, {
      trusted: settings.trusted,
      now: Date.now(),
      engine: settings.engine,
      floor: store.kept().floor,
      held: held === null ? null : { version: held.manifest.version, digest: held.digest },
    });
    if (opened.kind === 'refused') {
      const { fault, manifest } = opened;
      refuse(fault, [], fault === 'expired' || fault === 'not-yet' ? manifest : null);
      return;
    }
    // A different bundle than announced: the orders changed between the two calls. The next turn handles it.
    if (opened.bundle.digest !== wanted.digest) return;
    const { fault, problems } = await hooks.applyBundle(opened.bundle.payload);
    if (problems.length > 0) refuse(fault, problems);
    else taken(opened.bundle);
  }

  function taken(bundle: Kept['bundle']): void {
    const was = store.kept().bundle?.manifest.version ?? 0;
    const version = bundle?.manifest.version ?? 0;
    // On an upgrade, the version that was in force becomes the floor. Going back to it leaves the floor unchanged.
    store.change({ bundle, floor: version > was ? Math.max(store.kept().floor, was) : store.kept().floor });
    refused = null;
    onTaken();
    hooks.bundleTaken(version);
  }

  return {
    follow: followBundle,
    refused: () => (refused === null ? null : { version: refused.version, fault: refused.fault }),
    reconsider() {
      refused = null;
    },
  };
}

function inTimeNow({ untimely }: RefusedBundle): boolean {
  return untimely !== null && clockFault(untimely, Date.now()) === null;
}
