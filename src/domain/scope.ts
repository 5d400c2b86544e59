/** The scopes that an API key can have. Which scope a path requires is defined with its route. */

/** Scopes of the proxy. */
export const SCOPES = ['check', 'metrics', 'admin'] as const;

/** Scopes of a control plane. There, each instance of the fleet authenticates with a key as well. */
export const FLEET_SCOPES = ['check', 'fleet', 'admin'] as const;
export type FleetScope = (typeof FLEET_SCOPES)[number];
