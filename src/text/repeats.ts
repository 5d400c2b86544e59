/**
 * Text that says the same few characters over and over, for kilobytes: a model reads nothing new in it, and a bomb is
 * little else. Every character of it is compared, and then only both ends of the stretch are kept, each of them longer than
 * whatever a signature spans, so that what stood before it and what stood behind it still stand far apart.
 */
const LONGEST_PERIOD = 256;
/** Stays at each end: sixteen times the longest period, for what is told by its repetition. */
const KEEP = 8192;
/** No shorter stretch is worth the joint. One of them holds a probe, wherever it begins. */
const LEAST = 4 * KEEP;
const PROBE_EVERY = 2 * KEEP;
const PROBE = 64;
/** Of these many characters at a time, so that the groups of codes (of two to eight characters) fall as they fell. */
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

/** After how many characters the few at `at` come again; 0 when not soon. */
function periodAt(text: string, at: number): number {
  return text.slice(at + 1, at + PROBE + LONGEST_PERIOD).indexOf(text.slice(at, at + PROBE)) + 1;
}

/** For how many characters from `at` on the text says what it says a period later. Long stretches are compared whole. */
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

/** The same backwards, at most `most`: no farther than from one probe to the next. */
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
