/** Letters moved back along the alphabet by one to twenty-five, or, as the twenty-sixth, mirrored in it. */
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
