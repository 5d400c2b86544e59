/** A public key for bundles as `guard signatures keygen` prints it. The group is the raw key in base64url. */
export const PUBLIC_KEY = /^ed25519:([A-Za-z0-9_-]{43})=?$/;
