/**
 * Prompts that the application wrote in the template of its model, as endpoints that complete raw text need them:
 * `<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n`. Everywhere else such marks are forged, and signatures
 * find them. Here they are taken away where the whole prompt is one conversation in one template from its first
 * character on: a system turn at most, which comes first, and then the user and the model by turns.
 *
 * What a user wrote can end a turn and begin another one, and nobody can tell. So no turn is believed: the text of all
 * keeps the role of the prompt, and is read as one. Any other mark within it stays, and is found.
 */

interface Template {
  /** What may stand before the first turn. */
  readonly start: RegExp;
  /** The beginning of a turn, sticky. The first group is its speaker. */
  readonly opening: RegExp;
  readonly end: string;
  /** Begins every mark: none is left in the text of a turn. */
  readonly mark: RegExp;
}

const TEMPLATES: readonly Template[] = [
  {
    start: /^(?=<\|im_start\|>)/,
    opening: /\s{0,8}<\|im_start\|>(system|user|assistant)\n/y,
    end: '<|im_end|>',
    mark: /<\|im_/,
  },
  {
    start: /^(?:<\|begin_of_text\|>)?(?=<\|start_header_id\|>)/,
    opening: /\s{0,8}<\|start_header_id\|>(system|user|assistant)<\|end_header_id\|>\n/y,
    end: '<|eot_id|>',
    mark: /<\|(?:start_header_id|end_header_id|eot_id|eom_id|begin_of_text|end_of_text)\|>/,
  },
  {
    start: /^(?:<bos>)?(?=<start_of_turn>)/,
    opening: /\s{0,8}<start_of_turn>(user|model)\n/y,
    end: '<end_of_turn>',
    mark: /<(?:start|end)_of_turn>/,
  },
];

/** More turns than any prompt has. */
const MOST_TURNS = 1000;

/** The text of such a prompt without its marks; null if it is anything else. */
export function withoutTemplate(prompt: string): string | null {
  for (const template of TEMPLATES) {
    const start = template.start.exec(prompt);
    if (start !== null) return textOfTurns(prompt, start[0].length, template);
  }
  return LLAMA_2.test(prompt) ? textOfLlama2(prompt) : null;
}

function textOfTurns(prompt: string, from: number, { opening, end, mark }: Template): string | null {
  const turns: string[] = [];
  let at = from;
  let before: string | null = null;
  for (let n = 0; n < MOST_TURNS; n++) {
    opening.lastIndex = at;
    const found = opening.exec(prompt);
    if (found === null) return null;
    const speaker = found[1] === 'model' ? 'assistant' : found[1]!;
    if (!mayFollow(speaker, before)) return null;
    before = speaker;
    const textFrom = at + found[0].length;
    const closing = prompt.indexOf(end, textFrom);
    const text = prompt.slice(textFrom, closing === -1 ? prompt.length : closing);
    if (mark.test(text)) return null;
    turns.push(text);
    // The last turn is the model's, which has to go on with it.
    if (closing === -1) return speaker === 'assistant' ? turns.join('\n') : null;
    at = closing + end.length;
  }
  return null;
}

function mayFollow(speaker: string, before: string | null): boolean {
  if (speaker === 'system') return before === null;
  return speaker === 'user' ? before !== 'user' : before === 'user';
}

/** Llama 2 and Mistral. The system prompt stands within the first turn of the user. */
const LLAMA_2 = /^(?:<s>)? ?\[INST\]/;
const LLAMA_2_MARK = /\[\/?INST\]|<<\/?SYS>>|<\/?s>/;
const SYSTEM_OPENING = /^\s{0,8}<<SYS>>\n?/;
const SYSTEM_END = '<</SYS>>';

function textOfLlama2(prompt: string): string | null {
  const turns = prompt.split(/<\/s>(?:<s>)?(?= ?\[INST\])/, MOST_TURNS + 1);
  if (turns.length > MOST_TURNS) return null;
  const texts: string[] = [];
  for (const [n, turn] of turns.entries()) {
    const opened = turn.replace(n === 0 ? LLAMA_2 : /^ ?\[INST\]/, '');
    const [asked = '', answered, ...more] = opened.split('[/INST]');
    if (answered === undefined || more.length > 0) return null;
    const system = n === 0 ? SYSTEM_OPENING.exec(asked) : null;
    const systemEnd = system === null ? -1 : asked.indexOf(SYSTEM_END);
    if (system === null || systemEnd === -1) texts.push(asked);
    else texts.push(asked.slice(system[0].length, systemEnd), asked.slice(systemEnd + SYSTEM_END.length));
    texts.push(answered);
  }
  return texts.some((text) => LLAMA_2_MARK.test(text)) ? null : texts.join('\n');
}
