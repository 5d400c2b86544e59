import type { Role } from '../src/domain/passage.ts';
import type { Row } from './corpora.ts';

/** What one of the models is taught, and held to. */
export interface Course {
  readonly name: 'asked' | 'planted';
  /** As whose words its texts are read. */
  readonly roleOf: (corpus: string) => Role;
  /** Words of a step, of which four are judged together. */
  readonly step: number;
  /** How much further out a single step must lie; null where only four together are judged. */
  readonly stepDearer: number | null;
  /** How strongly weights are kept small: what few texts ask for is how their author writes, and no other source does. */
  readonly decay: number;
  /** Of what may be taught at all, what this model is taught. */
  readonly teaches: (row: Row) => boolean;
  /** Ordinary traffic, by which the boundary is drawn: neither full of attacks' words, nor written by us. */
  readonly isOrdinary: (corpus: string) => boolean;
  /** One honest text in so many is blocked by this model alone. */
  readonly blocks: number;
  /** When a source is left out, at most this share of ordinary text is blocked by signatures and model together. */
  readonly allowed: number;
  /** Sources that are left out in turn. Collections of the same published texts also leave together. */
  readonly sources: readonly (readonly string[])[];
}

/** An attack by its label; a secret is honest text here. */
const ATTACKS: ReadonlySet<string> = new Set(['prompt-injection', 'jailbreak', 'encoding-evasion']);

export function isAttack({ label }: Row): boolean {
  return ATTACKS.has(label);
}

/**
 * Labels that would teach something false: attacks that are only attacks where they stand, and text that is an attack for
 * how it is encoded, whatever it says.
 */
function misleads({ corpus, label }: Row): boolean {
  return (corpus === 'ipi_bipia_train' && label !== 'benign') || label === 'encoding-evasion';
}

/** Errands in what a model reads, and the honest texts that are their twins: they are about mails, and tickets, and code. */
const OF_PLANTED: ReadonlySet<string> = new Set([
  'written_planted',
  'written_planted_twins',
  'written_plants',
  'written_plants_twins',
]);

/** Honest text that is full of attacks, or of orders, and files, which are no traffic by themselves. */
const APART: ReadonlySet<string> = new Set([
  'bn_security_prose',
  'bn_agents',
  'bn_agents_unseen',
  'bn_files',
  'bn_files_unseen',
  'bn_pages',
  'bn_pages_unseen',
]);

const ERRANDS: ReadonlySet<string> = new Set([
  'written_planted',
  'written_plants',
  'written_agents',
  'ipi_asb',
  'pi_tasktracker',
]);

/** People who talk to a model: what they ask of it would be an errand in a page. */
const TALK =
  /^(?:own_honest|bn_roleplay|bn_wildguard|bn_xstest|written_honest_(?:users|long)|written_(?:overrides|extractions|jailbreaks)_twins|pi_|enc_)/;

export const COURSES = {
  /** What people ask of a model, to turn it. */
  asked: {
    name: 'asked',
    // Files and pages come from tools, of which more is asked.
    roleOf: (corpus) => (/^bn_(?:files|pages)/.test(corpus) ? 'tool_result' : 'user'),
    step: 16,
    stepDearer: 0.65,
    decay: 1e-2,
    teaches: (row) => !misleads(row) && !OF_PLANTED.has(row.corpus),
    isOrdinary: (corpus) => corpus.startsWith('bn_') && !APART.has(corpus),
    // The line overrates the rare: counted, one row in twelve hundred is blocked so, and a conversation of two hundred messages asks a
    // hundred times.
    blocks: 1250,
    allowed: 0.004,
    sources: [
      ['jb_inthewild'],
      ['jb_jailbreakchat'],
      ['jb_inthewild', 'jb_jailbreakchat', 'pi_giskard'],
      ['pi_deepset'],
      ['pi_neuralchemy'],
      ['pi_tasktracker'],
      ['ipi_asb'],
      ['ipi_bipia_train'],
      ['pi_cyberseceval'],
      ['pi_kaggle500'],
      ['pi_tensortrust'],
    ],
  },
  /** What is planted in what a model only was to read. */
  planted: {
    name: 'planted',
    roleOf: () => 'tool_result',
    step: 12,
    // It has learnt from errands in the midst of documents.
    stepDearer: null,
    decay: 3e-3,
    teaches: (row) => !misleads(row) && (isAttack(row) ? ERRANDS.has(row.corpus) : !TALK.test(row.corpus)),
    isOrdinary: (corpus) => /^bn_(?:files|pages|toolcalls|code|codegen)$|^ipi_/.test(corpus),
    // An agent reads more than a person asks. At one in 2,000 eleven points more of such errands were found, and twice as many honest
    // mails and pages that were written to look as if they held one.
    blocks: 4000,
    // Signatures alone block five in a thousand of these texts.
    allowed: 0.009,
    sources: [
      ['written_planted', 'written_planted_twins'],
      ['written_plants', 'written_plants_twins'],
      ['written_planted', 'written_planted_twins', 'written_plants', 'written_plants_twins'],
      ['written_agents'],
      ['pi_tasktracker'],
      ['ipi_asb'],
      ['ipi_bipia_train'],
    ],
  },
} as const satisfies Readonly<Record<Course['name'], Course>>;
