import type { Role } from '../src/domain/passage.ts';
import type { Row } from './corpora.ts';

/** The training setup of one of the two models. */
export interface ModelSetup {
  readonly name: 'asked' | 'planted';
  /** The role as which texts of a corpus are scanned. */
  readonly roleOf: (corpus: string) => Role;
  /** Words per step. Four steps form the window that is scored. */
  readonly step: number;
  /** How much higher the score of a single step must be to count; null when only windows of four steps are scored. */
  readonly stepDearer: number | null;
  /** How much lower the score of a window may be that is in another language than English. */
  readonly abroadCheaper: number;
  /**
   * The strength of weight decay. It removes what only a few texts support, which is usually the style of one author.
   */
  readonly decay: number;
  /** Which of the rows allowed for training this model is trained on. */
  readonly trainsOn: (row: Row) => boolean;
  /**
   * Whether a corpus is ordinary traffic, by which the threshold is set: neither full of words of attacks, nor
   * written by us.
   */
  readonly isOrdinary: (corpus: string) => boolean;
  /** This model alone blocks one benign text in this many. */
  readonly oneBlockedIn: number;
  /** In leave-one-out runs, the largest share of ordinary texts that signatures and model together may block. */
  readonly allowedFalsePositives: number;
  /** The sources that are left out in turn. Collections of the same published texts are also left out together. */
  readonly sources: readonly (readonly string[])[];
}

/** The labels of attacks. Texts with secrets count as benign here. */
const ATTACKS: ReadonlySet<string> = new Set(['prompt-injection', 'jailbreak', 'encoding-evasion']);

export function isAttack({ label }: Row): boolean {
  return ATTACKS.has(label);
}

/**
 * Rows whose labels would mislead: texts that are attacks only in their context, and texts that are attacks because
 * of their encoding, whatever they say.
 */
function hasMisleadingLabel({ corpus, label }: Row): boolean {
  return (corpus === 'ipi_bipia_train' && label !== 'benign') || label === 'encoding-evasion';
}

/** Instructions planted in documents, and benign twins of those documents. They are about mails, tickets and code. */
const PLANTED_CORPORA: ReadonlySet<string> = new Set([
  'written_planted',
  'written_planted_twins',
  'written_plants',
  'written_plants_twins',
]);

/** Benign text that is full of attacks or of instructions, and files and games, which are no traffic of their own. */
const UNUSUAL_CORPORA: ReadonlySet<string> = new Set([
  'bn_security_prose',
  'bn_agents',
  'bn_agents_unseen',
  'bn_files',
  'bn_files_unseen',
  'bn_pages',
  'bn_pages_unseen',
  'bn_dialogues',
  'bn_dialogues_unseen',
  'bn_sayings_unseen',
]);

const PLANTED_ATTACK_CORPORA: ReadonlySet<string> = new Set([
  'written_planted',
  'written_plants',
  'written_agents',
  'ipi_asb',
  'pi_tasktracker',
]);

/** Corpora of people who talk to a model: their requests would count as planted instructions if they were in a page. */
const CONVERSATION_CORPORA =
  /^(?:own_honest|own_agent_notes|bn_roleplay|bn_wildguard|bn_xstest|written_honest_(?:users|long)|written_everyday(?:_abroad)?|written_(?:further|scenes|lines|pairs|guises|plain)_honest|written_(?:overrides|extractions|jailbreaks)_twins|pi_|enc_)/;

/** The two models: `asked` for what people write to a model, `planted` for what a model only reads. */
export const MODEL_SETUPS = {
  /** Attacks in what people ask of a model. */
  asked: {
    name: 'asked',
    // Files and pages come from tools, for which the threshold is higher.
    roleOf: (corpus) => (/^bn_(?:files|pages)/.test(corpus) ? 'tool_result' : 'user'),
    step: 16,
    stepDearer: 0.65,
    abroadCheaper: 0.25,
    decay: 1e-2,
    trainsOn: (row) => !hasMisleadingLabel(row) && !PLANTED_CORPORA.has(row.corpus),
    isOrdinary: (corpus) => corpus.startsWith('bn_') && !UNUSUAL_CORPORA.has(corpus),
    // The fitted line overestimates rare scores. A conversation of 200 messages is scored a hundred times.
    oneBlockedIn: 1075,
    allowedFalsePositives: 0.004,
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
  /** Instructions planted in what a model should only read. */
  planted: {
    name: 'planted',
    roleOf: () => 'tool_result',
    step: 12,
    // It is trained on instructions within documents.
    stepDearer: null,
    abroadCheaper: 0,
    decay: 3e-3,
    trainsOn: (row) =>
      !hasMisleadingLabel(row) &&
      (isAttack(row) ? PLANTED_ATTACK_CORPORA.has(row.corpus) : !CONVERSATION_CORPORA.test(row.corpus)),
    isOrdinary: (corpus) => /^bn_(?:files|pages|toolcalls|code|codegen)$|^ipi_/.test(corpus),
    // An agent reads more than a person asks. At one in 4,000 a tenth more of such instructions were found, and half
    // as many again of the benign mails and pages blocked that were written to look as if they contained one.
    oneBlockedIn: 6000,
    // Signatures alone block 5 in 1,000 of these texts.
    allowedFalsePositives: 0.009,
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
} as const satisfies Readonly<Record<ModelSetup['name'], ModelSetup>>;
