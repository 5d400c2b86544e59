/** What a key opens. Which scope a path asks for is said where the path is. */

/** Of the proxy. */
export const SCOPES = ['check', 'metrics', 'admin'] as const;

/** Of a control plane, where an instance of the fleet is somebody with a key as well. */
export const FLEET_SCOPES = ['check', 'fleet', 'admin'] as const;
export type FleetScope = (typeof FLEET_SCOPES)[number];
