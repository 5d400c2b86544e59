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
  values: 1 << 17,
  tag: 1 << 18,
  emphasis: 1 << 19,
  hidden: 1 << 20,
  leet: 1 << 21,
  hyphen: 1 << 22,
} as const;
