import type { Finding } from '../domain/finding.ts';
import { saysEnd, type Channel, type Placed, type StreamJob, type StreamOutcome } from '../domain/stream.ts';
import { placesIn } from '../wire/literals.ts';
import { createPieceReader } from '../wire/alike.ts';
import { lastBoundary } from './boundary.ts';
import { uncut } from './egress.ts';
import { wholeLastLine } from './key-block.ts';
import type { Ruleset } from './ruleset.ts';
import { maskJudged } from './stream-masks.ts';
import { keyOf, readJudged, type Judged } from './stream-read.ts';

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
    judged.push({ passage, channel: channel.name, from: channel.before, fresh: channel.settled });
    // At once and not at the end of the step: else a stream of nothing but endings would be read from its beginning at each.
    const settled = forgetting({ ...channel, settled: channel.before + end });
    channels.set(channel.name, settled);
    return settled;
  };
  const judgeAll = (): void => {
    for (const channel of channels.values()) judge(channel, channel.text.length);
  };

  const piecesOf = createPieceReader(job);
  let start = 0;
  for (const end of job.ends) {
    const frame = Buffer.from(job.bytes.buffer, job.bytes.byteOffset + start, end - start);
    const text = frame.toString('utf8');
    start = end;
    frames.push(frame);
    const pieces = piecesOf(text);
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
    if (saysEnd(text)) judgeAll();
    frameNumber += 1;
  }

  const silentBefore = channels.size - MAX_CHANNELS;
  let rank = 0;
  for (const channel of channels.values()) {
    const whole = job.last || rank < silentBefore || frameNumber - channel.spoke > SILENT_FRAMES || !isHeld(channel);
    const end = whole ? channel.text.length : judgeable(channel, job);
    judge(channel, end);
    rank += 1;
  }

  const read = readJudged(ruleset, judged, job.forbidden, cancelled);
  if (read.kind !== 'findings') return read;
  const masked = isMasking(job)
    ? maskJudged(ruleset, job, read.findings, judged, placed, frames, channels, cancelled)
    : { ...read, maskable: [], patches: [] };
  if (masked.kind !== 'findings') return masked;

  const told = new Set(job.state.told);
  const fresh = (all: readonly Finding[], kind: string): Finding[] =>
    all.filter((finding) => {
      const key = `${kind} ${keyOf(finding)} ${finding.confidence}`;
      return !told.has(key) && told.add(key);
    });
  const news = fresh(masked.findings, 'open');
  const newMaskable = fresh(masked.maskable, 'masked');

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
    patches: masked.patches,
    state,
    cleared: stillOpen[0]?.frame ?? frameNumber,
  };
}

function newChannel(name: string, role: Channel['role'], where: string, spoke: number): Channel {
  return { name, role, where, text: '', before: 0, settled: 0, spoke, veil: null };
}

/** Nothing waits for the words of the others, so they are judged as they come. */
function isHeld({ name }: Channel): boolean {
  return !name.includes(' grown ') && name !== 'raw joined';
}

function isMasking(job: StreamJob): job is StreamJob & { readonly mask: { readonly from: number } } {
  return job.mask !== null;
}

/** How far a channel that still grows can be judged. What may turn out to be forbidden, or the end of a key, is not cut in two. */
function judgeable({ text }: Channel, { mask, forbidden }: StreamJob): number {
  const boundary = lastBoundary(text);
  const whole = mask === null ? boundary : wholeLastLine(text, boundary);
  return forbidden === null ? whole : uncut(forbidden, text, whole);
}

function forgetting(channel: Channel): Channel {
  const forget = Math.max(0, channel.settled - channel.before - MEMORY_CHARS);
  return forget === 0 ? channel : { ...channel, text: channel.text.slice(forget), before: channel.before + forget };
}
