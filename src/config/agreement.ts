import { OWN_PATHS } from '../domain/own-paths.ts';
import { endOfDay } from '../domain/policy.ts';
import { clashesOf } from './access-key.ts';
import type { Complaint } from './complaint.ts';
import { exclusionLists } from './exclusion-lists.ts';
import { isLoopback } from './loopback.ts';
import type { Settings } from './schema.ts';

/** Rules between settings that are each valid alone. */

/** The sections that are valid in themselves. Invalid ones are absent, and a rule skips what it cannot see. */
type Sections = Partial<Settings>;
type Rule = (sections: Sections) => readonly Complaint[];

export function disagreements(sections: Sections): readonly Complaint[] {
  return RULES.flatMap((rule) => rule(sections));
}

/** Warnings: settings that are valid, but worth a log line at every start. */
export function cautions(settings: Settings, now: number): readonly Complaint[] {
  return CAUTIONS.flatMap((caution) => caution(settings, now));
}

const RULES: readonly Rule[] = [
  function headersArriveBeforeTheRequestDoes({ server }) {
    if (server === undefined || server.headers_timeout_ms <= server.request_timeout_ms) return [];
    return [
      {
        path: ['server', 'headers_timeout_ms'],
        message: `must not exceed server.request_timeout_ms (${server.request_timeout_ms})`,
      },
    ];
  },

  function exclusionsNameUpstreamsThatExist({ policy, upstreams }) {
    if (policy === undefined || upstreams === undefined) return [];
    return exclusionLists({ policy, upstreams }).flatMap(({ path, exclusions }) =>
      exclusions.flatMap((exclusion, index) =>
        exclusion.upstream === undefined || Object.hasOwn(upstreams, exclusion.upstream)
          ? []
          : [
              {
                path: [...path, index, 'upstream'],
                message: `no such upstream; there are: ${Object.keys(upstreams).join(', ') || 'none'}`,
              },
            ],
      ),
    );
  },

  function keysAreToldApart({ auth }) {
    return clashesOf(auth?.keys ?? []).map(({ path, message }) => ({ path: ['auth', 'keys', ...path], message }));
  },

  function metricsHaveAPathOfTheirOwn({ metrics, upstreams }) {
    if (metrics === undefined) return [];
    const first = metrics.path.split('/')[1] ?? '';
    if (OWN.has(metrics.path))
      return [{ path: ['metrics', 'path'], message: 'this path is taken by the proxy itself' }];
    if (upstreams === undefined || !Object.hasOwn(upstreams, first)) return [];
    return [{ path: ['metrics', 'path'], message: `lies below the upstream ${first}; choose another` }];
  },

  function theConsoleHasAListenerOfItsOwn({ admin, server }) {
    if (admin === undefined || server === undefined || !admin.enabled || admin.port === 0) return [];
    if (admin.port !== server.port) return [];
    return [
      { path: ['admin', 'port'], message: `is the port of the proxy (server.port ${server.port}); choose another` },
    ];
  },

  function theConsoleIsLockedBeyondThisMachine({ admin, auth }) {
    if (admin === undefined || auth === undefined || !admin.enabled || isLoopback(admin.host)) return [];
    if (auth.keys.some(({ scopes }) => scopes.includes('admin'))) return [];
    return [
      {
        path: ['admin', 'host'],
        message:
          'reaches beyond this machine, and no key in auth.keys has the scope admin; add one, or listen on 127.0.0.1',
      },
    ];
  },

  function aControlPlaneHasAnAddressAndAKey({ control_plane: plane }) {
    if (plane === undefined || !plane.enabled) return [];
    const found: Complaint[] = [];
    if (plane.url === null)
      found.push({ path: ['control_plane', 'url'], message: 'is needed while control_plane.enabled is true' });
    if (plane.api_key === null) {
      found.push({
        path: ['control_plane', 'api_key'],
        message: 'is needed while control_plane.enabled is true; api_key_file may name a file instead',
      });
    }
    return found;
  },
];

const OWN: ReadonlySet<string> = new Set(OWN_PATHS);

const CAUTIONS: readonly ((settings: Settings, now: number) => readonly Complaint[])[] = [
  function controlPlaneThatCannotBeTrusted({ control_plane: plane }) {
    if (!plane.enabled || plane.public_keys.length > 0) return [];
    return [
      {
        path: ['control_plane', 'public_keys'],
        message: 'is empty: no signature bundle can be verified, so none is taken',
      },
    ];
  },

  function controlPlaneThatIsForgotten({ control_plane: plane }) {
    if (!plane.enabled || plane.folder !== null) return [];
    return [
      {
        path: ['control_plane', 'folder'],
        message: 'is not set: a start without the control plane has only the shipped signatures',
      },
    ];
  },

  function withoutUpstreams({ upstreams }) {
    if (Object.keys(upstreams).length > 0) return [];
    return [{ path: ['upstreams'], message: 'none configured: only /check works' }];
  },

  function withoutScanning({ scanner }) {
    return scanner.enabled
      ? []
      : [{ path: ['scanner', 'enabled'], message: 'false: everything is forwarded unscanned' }];
  },

  function exclusionsOfNoPath(settings) {
    const names = new Set(Object.keys(settings.upstreams));
    return exclusionLists(settings).flatMap(({ path, exclusions }) =>
      exclusions.flatMap(({ path: excluded }, index) => {
        const first = excluded?.split('/')[1];
        if (first === undefined || !names.has(first)) return [];
        const message = `begins with the upstream ${first}: a path is that of the provider's API, without it`;
        return [{ path: [...path, index, 'path'], message }];
      }),
    );
  },

  function exclusionsThatHaveRunOut(settings, now) {
    return exclusionLists(settings).flatMap(({ path, exclusions }) =>
      exclusions.flatMap(({ until }, index) =>
        until === undefined || now < endOfDay(until)
          ? []
          : [{ path: [...path, index, 'until'], message: 'has passed: this exclusion no longer counts; remove it' }],
      ),
    );
  },

  /** Only exclusions of the top-level policy are checked. Those of an upstream are already limited to it. */
  function exclusionsWithoutBounds({ policy }) {
    return policy.exclusions.flatMap(({ upstream, path, client, until }, index) =>
      [upstream, path, client, until].some((bound) => bound !== undefined)
        ? []
        : [
            {
              path: ['policy', 'exclusions', index],
              message: 'holds everywhere and for ever: name an upstream, a path, a client, or until which day',
            },
          ],
    );
  },

  function masksThatComeTooLate({ scanner: { response } }) {
    if (!response.enabled || !response.mask || response.mode !== 'passthrough') return [];
    return [
      {
        path: ['scanner', 'response', 'mask'],
        message: 'has no effect on streams in passthrough mode; use buffered or full',
      },
    ];
  },

  function controlPlaneInTheClear({ control_plane: plane }) {
    if (
      !plane.enabled ||
      plane.url === null ||
      !plane.url.startsWith('http:') ||
      isLoopback(new URL(plane.url).hostname)
    )
      return [];
    return [{ path: ['control_plane', 'url'], message: 'is not https: the key of this instance travels in the clear' }];
  },
];
