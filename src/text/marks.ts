/** What a quick look can say of a text, a bit each. */
export const MARK = {
  /** A control character, something invisible, a look-alike: anything the fold is for. */
  strange: 1 << 0,
  /** Accents, and spaces other than the usual: folded at a glance. */
  accented: 1 << 1,
  tags: 1 << 2,
  selectors: 1 << 3,
  invisible: 1 << 4,
  override: 1 << 5,
  braille: 1 << 6,
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
  /** More than one. */
  values: 1 << 17,
  tag: 1 << 18,
  emphasis: 1 << 19,
  hidden: 1 << 20,
  leet: 1 << 21,
  hyphen: 1 << 22,
  knock: 1 << 23,
  /** Blanks in a mixture or a number that are no indentation and no paragraph. */
  blanks: 1 << 24,
  /** A list of quoted pieces that could be one code. */
  codeList: 1 << 25,
  /** Five groups of four characters that could be a code. */
  groups: 1 << 26,
  mojibake: 1 << 27,
  terminal: 1 << 28,
  /** An escape with its characters the wrong way round. */
  turnedEscape: 1 << 29,
  /** Pieces of one width, with digits among their letters. */
  pieces: 1 << 30,
  /** Letters of another script that stand by themselves. */
  apart: 1 << 31,
} as const;
