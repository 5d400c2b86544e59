import type { Finding } from '../domain/finding.ts';
import type { Passage } from '../domain/passage.ts';
import {
  endsReading,
  patched,
  type Channel,
  type Patch,
  type Placed,
  type StreamJob,
  type StreamOutcome,
} from '../domain/stream.ts';
import { unescape } from '../text/escapes.ts';
import { placesIn } from '../wire/literals.ts';
import { piecesOf } from '../wire/pieces.ts';
import { lastBoundary } from './boundary.ts';
import { leaksIn } from './egress.ts';
import { fill, maskableRules, patchesFor } from './masks.ts';
import type { Ruleset } from './ruleset.ts';
import { scan } from './scan.ts';

/**
 * One step of a stream: new frames are added to their channels, and each channel is judged up to its last word boundary, so that
 * the frames which brought its last word wait. Before a frame that ends the client's reading, and when a channel has fallen
 * silent, everything is judged; both are told by the frames themselves and not by how they came, so that verdicts do not
 * depend on how a stream was cut.
 */

/** Longer than any window of a signature: what was said this long ago cannot become part of a match. */
const MEMORY_CHARS = 2048;
/** Pieces that end earlier than this before what is judged cannot be part of a match that is new. */
const MEMORY_PLACES = 1024;
/** A block of text is followed by another: its last word must not hold the frames of those for long. */
const SILENT_FRAMES = 8;
/** Side by side; the ones that were silent longest are judged to their end and forgotten first. */
const MAX_CHANNELS = 64;
const MAX_TOLD = 256;

interface Judged {
  readonly passage: Passage;
  readonly channel: string;
  /** Where the passage begins, counted from the beginning of the channel. */
  readonly from: number;
}

/** Stretches of a channel that were replaced, counted from its beginning. */
type Filled = ReadonlyMap<string, readonly { readonly start: number; readonly end: number }[]>;

export function scanStream(ruleset: Ruleset, job: StreamJob, cancelled: () => boolean): StreamOutcome {
  const channels = new Map<string, Channel>(job.state.channels.map((channel) => [channel.name, channel]));
  const open = [...job.state.open];
  const placed: Placed[] = [...job.state.placed];
  const judged: Judged[] = [];
  const frames: Buffer[] = [];
  let frameNumber = job.state.frames;
  let { chars } = job.state;

  /** The channel is read up to `end`, a place in its text. */
  const judge = (channel: Channel, end: number): Channel => {
    if (channel.before + end <= channel.settled) return channel;
    const passage = {
      text: channel.text.slice(0, end),
      role: channel.role,
      where: channel.where,
      message: judged.length,
    };
    judged.push({ passage, channel: channel.name, from: channel.before });
    // At once and not at the end of the step: else a stream of nothing but endings would be read from its beginning at each.
    const settled = forgetting({ ...channel, settled: channel.before + end });
    channels.set(channel.name, settled);
    return settled;
  };
  const judgeAll = (): void => {
    for (const channel of channels.values()) judge(channel, channel.text.length);
  };

  let start = 0;
  for (const end of job.ends) {
    const frame = Buffer.from(job.bytes.buffer, job.bytes.byteOffset + start, end - start);
    const text = frame.toString('utf8');
    start = end;
    frames.push(frame);
    const pieces = piecesOf(text, job);
    const places = job.mask === null ? null : placesIn(text, frame.length, pieces);
    for (const [index, piece] of pieces.entries()) {
      let channel = channels.get(piece.channel) ?? newChannel(piece.channel, piece.role, piece.where, frameNumber);
      if (frameNumber - channel.spoke > SILENT_FRAMES) channel = judge(channel, channel.text.length);
      const from = channel.before + channel.text.length;
      // Set anew, so that the order of the map is the order of last use.
      channels.delete(piece.channel);
      channels.set(piece.channel, { ...channel, text: channel.text + piece.text, spoke: frameNumber });
      if (piece.holds) open.push({ frame: frameNumber, channel: piece.channel, end: from + piece.text.length });
      if (piece.holds) chars += piece.text.length;
      if (places !== null)
        placed.push({ frame: frameNumber, channel: piece.channel, from, text: piece.text, literal: places[index]! });
    }
    if (endsReading(frame)) judgeAll();
    frameNumber += 1;
  }

  const silentBefore = channels.size - MAX_CHANNELS;
  let rank = 0;
  for (const channel of channels.values()) {
    const whole = job.last || rank < silentBefore || frameNumber - channel.spoke > SILENT_FRAMES || !isHeld(channel);
    const end = whole ? channel.text.length : lastBoundary(channel.text);
    judge(channel, end);
    rank += 1;
  }

  const read = scanAll(ruleset, judged, job, cancelled);
  if (read.kind !== 'findings') return read;
  let { findings } = read;
  let maskable: readonly Finding[] = [];
  const patches: Patch[] = [];
  const rules = job.mask === null ? [] : maskableRules(ruleset, findings);
  if (job.mask !== null && rules.length > 0) {
    const firstFrame = job.mask.from;
    const filled = new Map<string, { start: number; end: number }[]>();
    for (const { passage, channel, from } of judged) {
      if (cancelled()) return { kind: 'timeout', phase: 'run' };
      const ranges = filled.get(channel) ?? [];
      filled.set(channel, ranges);
      const reach = from + passage.text.length;
      const mine = placed.filter(
        (piece) => piece.channel === channel && piece.from < reach && piece.from + piece.text.length > from,
      );
      // Of a channel judged twice, the later passage holds the end of the earlier.
      fill(rules, blanked(passage.text, from, ranges), (match) => {
        const made = patchesFor(match, from, mine, firstFrame);
        if (made === null) return false;
        patches.push(...made);
        ranges.push({ start: from + match.start, end: from + match.end });
        return true;
      });
    }
    for (const [name, ranges] of filled) {
      const live = channels.get(name)!;
      channels.set(name, { ...live, text: blanked(live.text, live.before, ranges) });
    }
    const left = scanAll(ruleset, remasked(judged, filled, frames, patches, job), job, cancelled);
    if (left.kind !== 'findings') return left;
    const remaining = new Set(left.findings.map(keyOf));
    maskable = findings.filter(
      (finding) => !remaining.has(keyOf(finding)) && rules.some(({ signature }) => signature.id === finding.signature),
    );
    findings = left.findings;
  }

  const told = new Set(job.state.told);
  const fresh = (all: readonly Finding[], kind: string): Finding[] =>
    all.filter((finding) => {
      const key = `${kind} ${keyOf(finding)} ${finding.confidence}`;
      return !told.has(key) && told.add(key);
    });
  const news = fresh(findings, 'open');
  const newMaskable = fresh(maskable, 'masked');

  const kept = [...channels.values()].slice(-MAX_CHANNELS);
  const byName = new Map(kept.map((channel) => [channel.name, channel]));
  const stillOpen = open.filter(({ channel, end }) => end > (byName.get(channel)?.settled ?? Infinity));
  const state = {
    channels: kept,
    frames: frameNumber,
    chars,
    open: stillOpen,
    told: [...told].slice(-MAX_TOLD),
    placed: placed.filter(
      ({ channel, from, text }) => from + text.length > (byName.get(channel)?.settled ?? Infinity) - MEMORY_PLACES,
    ),
  };
  return {
    kind: 'step',
    findings: news,
    maskable: newMaskable,
    patches,
    state,
    cleared: stillOpen[0]?.frame ?? frameNumber,
  };
}

function newChannel(name: string, role: Channel['role'], where: string, spoke: number): Channel {
  return { name, role, where, text: '', before: 0, settled: 0, spoke };
}

/** Nothing waits for the words of the others, so they are judged as they come. */
function isHeld({ name }: Channel): boolean {
  return !name.includes(' grown ') && name !== 'raw joined';
}

function keyOf({ signature, role }: Finding): string {
  return `${signature} ${role}`;
}

type Read =
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }
  | { readonly kind: 'unreadable'; readonly reason: 'decode-budget' }
  | { readonly kind: 'timeout'; readonly phase: 'run' };

function scanAll(
  ruleset: Ruleset,
  judged: readonly Judged[],
  { forbidden }: StreamJob,
  cancelled: () => boolean,
): Read {
  if (judged.length === 0) return { kind: 'findings', findings: [] };
  const passages: Passage[] = [];
  for (const { passage } of judged) {
    passages.push({ ...passage, message: passages.length });
    // The arguments of a tool come as JSON inside JSON: `\u0069` is a letter there.
    if (passage.text.includes('\\'))
      passages.push({ ...passage, text: unescape(passage.text), message: passages.length });
  }
  const scanned = scan(ruleset, passages, { direction: 'response', cancelled });
  if (scanned.kind !== 'findings') return failureOf(scanned.kind);
  if (forbidden === null) return scanned;
  const leaks = leaksIn(ruleset, passages, forbidden, cancelled);
  if (leaks.kind !== 'findings') return failureOf(leaks.kind);
  return { kind: 'findings', findings: [...scanned.findings, ...leaks.findings] };
}

function failureOf(kind: 'exhausted' | 'cancelled'): Read {
  return kind === 'cancelled' ? { kind: 'timeout', phase: 'run' } : { kind: 'unreadable', reason: 'decode-budget' };
}

/** The same texts as they will be once the patches are applied. */
function remasked(
  judged: readonly Judged[],
  filled: Filled,
  frames: readonly Buffer[],
  patches: readonly Patch[],
  job: StreamJob,
): Judged[] {
  const texts = judged.flatMap((one) => {
    const { passage, channel, from } = one;
    if (isNested(passage)) return [];
    return [{ ...one, passage: { ...passage, text: blanked(passage.text, from, filled.get(channel) ?? []) } }];
  });
  // A document in a string has no place of its own; it is read again from the frame as it goes out.
  for (const [index, frame] of frames.entries()) {
    const number = job.state.frames + index;
    const mine = patches.filter((patch) => patch.frame === number);
    const text = (mine.length === 0 ? frame : patched(frame, mine)).toString('utf8');
    for (const piece of piecesOf(text, job)) {
      if (!piece.nested) continue;
      const { role, where } = piece;
      texts.push({ channel: piece.channel, from: 0, passage: { text: piece.text, role, where, message: 0 } });
    }
  }
  return texts;
}

function isNested({ where }: Passage): boolean {
  return where.endsWith('>');
}

function blanked(
  text: string,
  from: number,
  ranges: readonly { readonly start: number; readonly end: number }[],
): string {
  let out = text;
  for (const range of ranges) {
    const start = Math.max(0, range.start - from);
    const end = Math.min(out.length, range.end - from);
    if (start < end) out = out.slice(0, start) + '*'.repeat(end - start) + out.slice(end);
  }
  return out;
}

function forgetting(channel: Channel): Channel {
  const forget = Math.max(0, channel.settled - channel.before - MEMORY_CHARS);
  return forget === 0 ? channel : { ...channel, text: channel.text.slice(forget), before: channel.before + forget };
}
