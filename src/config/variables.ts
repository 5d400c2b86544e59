/** The names of the environment variables that belong to guard. */

/** Short names. All other names are derived from the key: `server.port -> GUARD_SERVER__PORT`. */
export const NAMED_VARIABLES = {
  GUARD_LOG_LEVEL: 'logging.level',
  GUARD_CONTROL_PLANE_ENABLED: 'control_plane.enabled',
  GUARD_CONTROL_PLANE_URL: 'control_plane.url',
  GUARD_CONTROL_PLANE_API_KEY: 'control_plane.api_key',
  GUARD_CONTROL_PLANE_API_KEY_FILE: 'control_plane.api_key_file',
} satisfies Record<string, string>;

/** Read by the bundled configuration through `${...}`. Ignored when another file has upstreams of its own. */
export const BUNDLED_VARIABLES = ['GUARD_UPSTREAM_A_URL', 'GUARD_UPSTREAM_B_URL'] as const;

const OUR_BUILD = /^GUARD_(BUILD|TEST|BENCH)_/;

/**
 * Kubernetes sets these in every pod when a Service whose name starts with "guard" exists. If they were refused as
 * unknown, creating a Service would keep the proxy from starting again.
 */
const SERVICE_LINK =
  /^GUARD_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
const SERVICE_PORT = /^GUARD_([A-Z0-9_]+_)?PORT$/;
const LINK_ADDRESS = /^(tcp|udp|sctp):\/\//;

/** Whether a variable that starts with `GUARD_` is not a setting. */
export function isForeign(name: string, value: string): boolean {
  if (OUR_BUILD.test(name)) return true;
  if (name.includes('__')) return false;
  // GUARD_PORT=9090 is a mistake for GUARD_SERVER__PORT. GUARD_PORT=tcp://10.0.0.1:8080 comes from Kubernetes.
  return SERVICE_LINK.test(name) || (SERVICE_PORT.test(name) && LINK_ADDRESS.test(value));
}
