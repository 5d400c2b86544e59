import { keyOfFinding } from '../../domain/finding.ts';
import { textOfMessage } from '../../domain/event-message.ts';
import {
  endsOneAnswer,
  holdsFrames,
  messageHasEndMarker,
  textHasEndMarker,
  type Channel,
  type PlacedPiece,
  type StreamJob,
  type StreamOutcome,
} from '../../domain/stream.ts';
import { literalsOf } from '../../wire/literals.ts';
import { createPieceReader } from '../../wire/frame-templates.ts';
import type { Piece } from '../../wire/pieces.ts';
import { lastBoundary } from './boundary.ts';
import { uncut } from '../egress.ts';
import { wholeLastLine } from '../masks/key-block.ts';
import { tellsTokens } from '../masks/told-tokens.ts';
import type { Ruleset } from '../ruleset.ts';
import { forgettable, stretchOf } from './stream-memory.ts';
import { maskJudged } from './stream-masks.ts';
import { readJudged, type Judged } from './stream-read.ts';

/**
 * One step of a stream. New frames are added to their channels, and each channel is judged up to its last word
 * boundary, so that frames which brought part of an unfinished word wait. Everything is judged before a frame that ends
 * the client's reading, and when a channel has fallen silent. Both are told from the frames themselves and not from how
 * they arrived, so that verdicts do not depend on how a stream was cut.
 */

/** Pieces that end more than this many characters before what is judged cannot be part of a new match. */
const MEMORY_PLACES = 1024;
/**
 * After this many frames without text, a channel is silent: as many for each answer that is told. One block of text
 * follows another, and the last word of the first must not hold the frames of the second for long.
 */
const SILENT_FRAMES = 8;
/** A silent channel that ends in so much of a forbidden text is not taken for finished. */
const TELLING_CHARS = 8;
/** Providers tell up to 128 answers at once. A stream of more is not read. */
const MAX_ANSWERS = 256;
/** Channels side by side. If there are more, those silent longest are judged to their end and dropped first. */
const MAX_CHANNELS = 4 * MAX_ANSWERS;
/** As many are kept that are silent: each step copies all of them. */
const MAX_SILENT = 64;
const MAX_REPORTED = 256;

export function scanStream(ruleset: Ruleset, job: StreamJob, cancelled: () => boolean): StreamOutcome {
  // The channels are copied once and then changed in place: making a channel anew for each word took a tenth of a step.
  const channels = new Map<string, Growing>(job.state.channels.map((channel) => [channel.name, { ...channel }]));
  const open = [...job.state.openFrames];
  const placed: PlacedPiece[] = [...job.state.placedPieces];
  const judged: Judged[] = [];
  const answers = new Set(job.state.channels.map(({ answer }) => answer));
  let frameNumber = job.state.frames;
  let { chars } = job.state;

  const isSilent = ({ lastFrame }: Channel): boolean => frameNumber - lastFrame > SILENT_FRAMES * answers.size;

  /**
   * Judges the channel up to `end`, an offset in its text. Where nothing more may follow (`isFinal`), all text that is
   * remembered is read.
   */
  const judge = (channel: Growing, end: number, isFinal: boolean): void => {
    if (channel.droppedChars + end <= channel.judgedTo) return;
    const { from, text, undisguised } = isFinal
      ? { from: channel.droppedChars, text: channel.text.slice(0, end), undisguised: false }
      : stretchOf(ruleset, channel, end, job.forbidden);
    judged.push({
      passage: { text, role: channel.role, where: channel.where, message: judged.length },
      channel: channel.name,
      from,
      fresh: channel.judgedTo,
      undisguised,
    });
    channel.judgedTo = channel.droppedChars + end;
    if (from === channel.droppedChars) channel.surveyedTo = channel.judgedTo;
    // At once and not at the end of the step: a stream of nothing but endings would be read from its start at each one.
    forget(channel);
  };

  const piecesOf = createPieceReader(job);
  const { frames, texts, isEnd } = framesOf(job);
  let lastName: string | null = null;
  for (const [at, text] of texts.entries()) {
    const pieces = piecesOf(text);
    const places = frames === null ? null : literalsOf(text, frames[at]!.length, pieces);
    for (const [index, piece] of pieces.entries()) {
      let channel = channels.get(piece.channel);
      if (channel === undefined) {
        channel = newChannel(piece, frameNumber);
        answers.add(piece.answer);
      } else if (isSilent(channel)) judge(channel, unlessTelling(channel, job), true);
      // The map is kept in the order of last use.
      if (piece.channel !== lastName) {
        channels.delete(piece.channel);
        channels.set(piece.channel, channel);
        lastName = piece.channel;
      }
      const from = channel.droppedChars + channel.text.length;
      channel.text += piece.text;
      channel.lastFrame = frameNumber;
      if (holdsFrames(piece.kind)) {
        open.push({ frame: frameNumber, channel: piece.channel, end: from + piece.text.length });
        chars += piece.text.length;
      }
      if (places !== null)
        placed.push({
          frame: frameNumber,
          channel: piece.channel,
          kind: piece.kind,
          from,
          text: piece.text,
          literal: places[index]!,
        });
    }
    if (isEnd(text, at) && !(answers.size > 1 && endsOneAnswer(text)))
      for (const channel of channels.values()) judge(channel, channel.text.length, true);
    frameNumber += 1;
  }

  if (answers.size > MAX_ANSWERS) return { kind: 'unreadable', reason: 'too-many-parts' };
  const dropped = new Set<string>();
  let left = channels.size;
  for (const channel of channels.values()) {
    const isDropped = left > MAX_CHANNELS || (left > MAX_SILENT && isSilent(channel));
    left -= 1;
    if (isDropped) dropped.add(channel.name);
    if (job.last || isDropped) judge(channel, channel.text.length, true);
    else if (isSilent(channel)) judge(channel, unlessTelling(channel, job), true);
    // Frames do not wait for the words of the other channels, so these are judged as they come.
    else judge(channel, holdsFrames(channel.kind) ? judgeable(channel, job) : channel.text.length, false);
  }

  const read = readJudged(ruleset, judged, job.forbidden, cancelled);
  if (read.kind !== 'findings') return read;
  const isTold = job.state.tellsTokens || (isMasking(job) && texts.some(tellsTokens));
  const masked =
    isMasking(job) && !isTold
      ? maskJudged(ruleset, job, read.findings, judged, placed, frames!, channels, cancelled)
      : { findings: read.findings, patches: [] };

  const reported = new Set(job.state.reported);
  const news = masked.findings.filter((finding) => {
    const key = `${keyOfFinding(finding)} ${finding.confidence}`;
    return !reported.has(key) && reported.add(key);
  });

  // Masking puts other channels in the place of some.
  const kept = [...channels.values()].filter(({ name }) => !dropped.has(name));
  const byName = new Map(kept.map((channel) => [channel.name, channel]));
  const stillOpen = open.filter(({ channel, end }) => end > (byName.get(channel)?.judgedTo ?? Infinity));
  const state = {
    channels: kept,
    frames: frameNumber,
    chars,
    openFrames: stillOpen,
    reported: [...reported].slice(-MAX_REPORTED),
    placedPieces: placed.filter(
      ({ channel, from, text }) => from + text.length > (byName.get(channel)?.judgedTo ?? Infinity) - MEMORY_PLACES,
    ),
    tellsTokens: isTold,
  };
  return {
    kind: 'step',
    findings: news,
    patches: masked.patches,
    state,
    clearedUntil: stillOpen[0]?.frame ?? frameNumber,
  };
}

type Growing = { -readonly [Name in keyof Channel]: Channel[Name] };

function newChannel({ channel: name, answer, kind, role, where }: Piece, lastFrame: number): Growing {
  return {
    name,
    answer,
    kind,
    role,
    where,
    text: '',
    droppedChars: 0,
    judgedTo: 0,
    surveyedTo: 0,
    lastFrame,
    maskedKeyBlock: null,
  };
}

interface Frames {
  readonly texts: readonly string[];
  /** Only where values are masked. */
  readonly frames: readonly Buffer[] | null;
  /** Whether a frame may end the client's reading. */
  readonly isEnd: (text: string, at: number) => boolean;
}

function framesOf({ kind, bytes, ends, maskFrom }: StreamJob): Frames {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (kind === 'eventstream') {
    const messages = ends.map((end, at) => all.subarray(ends[at - 1] ?? 0, end));
    const texts = messages.map(textOfMessage);
    return { texts, frames: null, isEnd: (text, at) => messageHasEndMarker(messages[at]!, text) };
  }
  const text = all.toString('utf8');
  // One character for each byte: then offsets agree, and cutting the text costs less than decoding each frame.
  const isPlain = text.length === all.length;
  // If no frame of all ends the client's reading, none of them need be checked.
  const mayEnd = textHasEndMarker(text);
  const cut = <Part>(of: (start: number, end: number) => Part): Part[] =>
    ends.map((end, at) => of(ends[at - 1] ?? 0, end));
  return {
    texts: cut((start, end) => (isPlain ? text.slice(start, end) : all.toString('utf8', start, end))),
    frames: maskFrom === null ? null : cut((start, end) => all.subarray(start, end)),
    isEnd: mayEnd ? textHasEndMarker : () => false,
  };
}

function isMasking(job: StreamJob): job is StreamJob & { readonly maskFrom: number } {
  return job.maskFrom !== null;
}

/**
 * How far a channel that still grows can be judged without cutting in two what may turn out to be forbidden text, or
 * the last line of a key.
 */
function judgeable({ text }: Channel, { maskFrom, forbidden }: StreamJob): number {
  const boundary = lastBoundary(text);
  const whole = maskFrom === null ? boundary : wholeLastLine(text, boundary);
  return forbidden === null ? whole : uncut(forbidden, text, whole);
}

/** How far a channel that seems to have ended is judged: to its end, unless that is where a forbidden text is being told. */
function unlessTelling({ text }: Channel, { forbidden }: StreamJob): number {
  return forbidden === null ? text.length : uncut(forbidden, text, text.length, TELLING_CHARS);
}

function forget(channel: Growing): void {
  const chars = forgettable(channel);
  if (chars === 0) return;
  channel.text = channel.text.slice(chars);
  channel.droppedChars += chars;
}
