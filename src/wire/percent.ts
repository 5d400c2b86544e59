/** Percent-encoding, as forms and URLs use it, where a broken sequence stands for itself. */

export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return Buffer.from(decodedBytes(Buffer.from(text, 'utf8'))).toString('utf8');
  }
}

function decodedBytes(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; at++) {
    const high = bytes[at] === 37 ? hexDigit(bytes[at + 1]) : -1;
    const low = high === -1 ? -1 : hexDigit(bytes[at + 2]);
    if (low === -1) out[size++] = bytes[at]!;
    else {
      out[size++] = high * 16 + low;
      at += 2;
    }
  }
  return out.subarray(0, size);
}

/** -1 for what is none. */
export function hexDigit(unit: number | undefined): number {
  if (unit === undefined) return -1;
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
