/**
 * Results of other tools on corpora of the same names, measured for this project with their code as published: the
 * percentage of attacks found and of benign texts flagged. Those figures cover whole corpora, and ours only the
 * development part, so only rough comparisons are valid.
 */
export const PEERS = [
  'twenty regexes',
  'ward',
  'hai pattern',
  'stackone tier 1',
  'npm llm-guard',
  'llm_guardrail',
] as const;

type Figures = readonly [number, number, number, number, number, number];

export const FOUND_BY_PEERS: Readonly<Record<string, Figures>> = {
  enc_garak: [0.4, 19.3, 0.8, 4.0, 2.8, 4.8],
  ipi_asb: [40.0, 40.0, 41.0, 40.2, 40.5, 63.0],
  ipi_bipia_train: [0.0, 0.6, 0.0, 6.8, 2.2, 13.2],
  jb_inthewild: [46.7, 28.5, 67.7, 39.6, 38.1, 91.8],
  jb_jailbreakchat: [55.1, 33.8, 76.3, 55.1, 46.8, 99.7],
  pi_cyberseceval: [7.8, 11.8, 8.2, 7.3, 37.6, 38.8],
  pi_deepset: [5.7, 20.2, 8.7, 2.7, 16.7, 50.6],
  pi_giskard: [62.5, 56.2, 59.4, 53.1, 53.1, 93.8],
  pi_kaggle500: [0.4, 2.0, 22.9, 10.4, 21.7, 41.0],
  pi_neuralchemy: [4.7, 28.2, 6.2, 6.6, 9.1, 37.7],
  pi_tasktracker: [0.3, 1.4, 0.3, 0.1, 0.7, 30.5],
  pi_tensortrust: [23.6, 49.6, 27.3, 22.2, 21.9, 86.8],
};

export const FLAGGED_BY_PEERS: Readonly<Record<string, Figures>> = {
  bn_alpaca_demo: [0.0, 0.1, 0.1, 0.0, 0.5, 9.0],
  bn_chat_misc: [0.3, 0.3, 0.5, 0.0, 7.2, 13.4],
  bn_code: [0.2, 1.2, 1.0, 6.8, 5.3, 30.8],
  bn_codegen: [0.0, 0.0, 0.0, 0.0, 4.2, 15.9],
  bn_instructwild: [0.4, 0.1, 6.2, 0.2, 3.3, 16.3],
  bn_roleplay: [1.7, 0.1, 6.2, 0.1, 6.6, 18.8],
  bn_security_prose: [13.8, 1.5, 17.2, 10.3, 10.6, 71.8],
  bn_toolcalls: [0.0, 0.0, 0.1, 0.0, 4.6, 9.0],
  bn_wildguard: [1.6, 0.9, 6.2, 1.0, 14.0, 38.6],
  bn_xstest: [0.0, 0.0, 0.0, 0.0, 10.0, 6.8],
  enc_garak: [0.0, 5.8, 0.0, 2.9, 0.0, 1.0],
  ipi_bipia_train: [0.0, 0.0, 0.3, 0.7, 0.6, 2.2],
  pi_deepset: [0.0, 0.0, 0.0, 0.0, 1.5, 3.3],
  pi_kaggle500: [0.0, 0.0, 0.0, 0.0, 0.8, 22.1],
  pi_neuralchemy: [0.1, 0.5, 0.5, 0.4, 2.8, 28.9],
};
