/**
 * Shortens text that repeats the same few characters for kilobytes: a model reads nothing new in it, and bombs consist
 * of little else. Every character of such a stretch is compared, and only its two ends are kept. Each end is longer
 * than the span of any signature, so text before and after the stretch is still far apart.
 */
const LONGEST_PERIOD = 256;
/** Characters kept at each end: 32 times the longest period, for signatures that match repetition itself. */
const KEEP = 8192;
/** Shorter stretches are not worth a cut. Every stretch of this length contains a probe, wherever it begins. */
const LEAST = 4 * KEEP;
const PROBE_EVERY = 2 * KEEP;
const PROBE = 64;
/**
 * The cut is a multiple of this (the least common multiple of 1 to 8), so that the groups of codes, of two to eight
 * characters, keep their alignment.
 */
const GROUPS = 840;

export function closeRepeats(text: string): string {
  if (text.length < LEAST) return text;
  const parts: string[] = [];
  let kept = 0;
  let done = 0;
  for (let at = 0; at + PROBE + LONGEST_PERIOD < text.length; at = Math.max(at + PROBE_EVERY, done)) {
    const period = periodAt(text, at);
    if (period === 0) continue;
    const start = at - sameBefore(text, at, period, at - done);
    done = at + sameFrom(text, at, period) + period;
    const unit = leastCommonMultiple(period, GROUPS);
    const cut = Math.floor((done - start - 2 * KEEP) / unit) * unit;
    if (done - start < LEAST || cut <= 0) continue;
    parts.push(text.slice(kept, start + KEEP));
    kept = start + KEEP + cut;
  }
  return kept === 0 ? text : parts.join('') + text.slice(kept);
}

/** The distance after which the PROBE characters at `at` come again; 0 if they do not come again soon. */
function periodAt(text: string, at: number): number {
  return text.slice(at + 1, at + PROBE + LONGEST_PERIOD).indexOf(text.slice(at, at + PROBE)) + 1;
}

/**
 * For how many characters from `at` on the text equals itself one period later. Long stretches are compared as slices.
 */
function sameFrom(text: string, at: number, period: number): number {
  const most = text.length - period - at;
  let same = 0;
  for (let size = PROBE; size > 0;) {
    const step = Math.min(size, most - same);
    const from = at + same;
    if (step > 0 && text.slice(from, from + step) === text.slice(from + period, from + period + step)) {
      same += step;
      size = same < most ? size * 2 : 0;
    } else size = size > most - same ? (most - same) >> 1 : size >> 1;
  }
  return same;
}

/**
 * The same backwards from `at`, for at most `most` characters, which is no more than the distance between two probes.
 */
function sameBefore(text: string, at: number, period: number, most: number): number {
  let same = 0;
  while (same < most && text.charCodeAt(at - same - 1) === text.charCodeAt(at - same - 1 + period)) same++;
  return same;
}

function leastCommonMultiple(a: number, b: number): number {
  let [high, low] = [a, b];
  while (low > 0) [high, low] = [low, high % low];
  return (a / high) * b;
}
