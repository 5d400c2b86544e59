/** The public half of a key that signs bundles, as `guard signatures keygen` prints it; the group is the key itself in base64url. */
export const PUBLIC_KEY = /^ed25519:([A-Za-z0-9_-]{43})=?$/;
