/** Percent-decoding of forms and URLs. Invalid sequences stay as they are: `'a%20b%zz' -> 'a b%zz'`. */

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

/** The value of a hexadecimal digit, given its character code; -1 if it is none. */
export function hexDigit(unit: number | undefined): number {
  if (unit === undefined) return -1;
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
