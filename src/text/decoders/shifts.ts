/** Moves letters back along the alphabet by 1 to 25; shift 26 mirrors the alphabet. */
const MIRRORED = 26;

export function shiftedBack(text: string, shift: number): string {
  let back = '';
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const base = unit >= 0x61 && unit <= 0x7a ? 0x61 : unit >= 0x41 && unit <= 0x5a ? 0x41 : 0;
    const letter = unit - base;
    back += String.fromCharCode(
      base === 0 ? unit : base + (shift === MIRRORED ? 25 - letter : (letter + 26 - shift) % 26),
    );
  }
  return back;
}
