/** What one quick pass can tell about a text, one bit each. */
export const MARK = {
  /** A control character, an invisible character, a look-alike: anything that folding undoes. */
  strange: 1 << 0,
  /** Accents and unusual spaces, which the light fold handles. */
  accented: 1 << 1,
  tags: 1 << 2,
  selectors: 1 << 3,
  invisible: 1 << 4,
  override: 1 << 5,
  braille: 1 << 6,
  /** Letters drawn upside down. */
  turned: 1 << 7,
  percent: 1 << 8,
  entity: 1 << 9,
  escape: 1 << 10,
  quotedPrintable: 1 << 11,
  punycode: 1 << 12,
  joint: 1 << 13,
  listJoint: 1 << 14,
  sum: 1 << 15,
  value: 1 << 16,
  /** More than one `value`. */
  values: 1 << 17,
  tag: 1 << 18,
  /** Emphasis inside a word. */
  emphasis: 1 << 19,
  hidden: 1 << 20,
  leet: 1 << 21,
  hyphen: 1 << 22,
  knock: 1 << 23,
  /** Blanks of mixed kinds, or so many that they are neither indentation nor a paragraph break. */
  blanks: 1 << 24,
  /** A list of quoted pieces that could be one base64 code. */
  codeList: 1 << 25,
  /** Five groups of four characters that could be base64. */
  groups: 1 << 26,
  mojibake: 1 << 27,
  terminal: 1 << 28,
  /** An escape written backwards. */
  turnedEscape: 1 << 29,
  /** Pieces of equal width with digits among their letters. */
  pieces: 1 << 30,
  /** Letters of a non-Latin script with separators between them. */
  apart: 1 << 31,
} as const;
