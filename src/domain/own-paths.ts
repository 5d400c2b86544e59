/**
 * The paths that every instance answers itself. No metrics page and no upstream can have them. The path of the metrics
 * is the operator's choice.
 */
export const OWN_PATHS = ['/', '/healthz', '/readyz', '/check'] as const;

export type OwnPath = (typeof OWN_PATHS)[number];
