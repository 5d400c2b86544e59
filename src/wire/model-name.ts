/**
 * Recognizes names of models such as `gpt-4o-mini`, so that they are not scanned. Nearly every call has one, and a
 * model does not read it. As text it would contain words that many signatures look for, and would add a second passage
 * to a body with one. All words of a name must be in these lists. The key is not considered, because a sender may write
 * anything under it.
 */
const FAMILIES = words(
  'gpt chatgpt o claude gemini gemma llama codellama mistral ministral mixtral codestral pixtral qwen qwq deepseek phi grok nova titan ' +
    'command granite falcon yi glm kimi sonar jamba dbrx solar nemotron olmo smollm starcoder nomic mxbai bge embedding',
);
const QUALIFIERS = words(
  'openai anthropic google meta mistralai ai microsoft xai amazon cohere nvidia models bedrock azure vertex ollama openrouter us eu ' +
    'mini nano micro turbo preview latest stable sonnet opus haiku flash pro lite instant instruct chat base large small medium ' +
    'vision audio search codex coder code math it hf fp bf awq gguf gptq exp experimental thinking reasoner reasoning distill oss ' +
    'plus max ultra nightly vl moe text embed scout maverick multilingual english en',
);
/**
 * Letters of sizes, versions and quantizations: `8x7b`, `v1`, `q4_K_M`. Only few are allowed, since letters can spell
 * words.
 */
const LETTERS = words('b k m s x v q r e o t');
const WORDS: ReadonlySet<string> = new Set([...FAMILIES, ...QUALIFIERS, ...LETTERS]);
const MOST_LETTERS = 4;
const MOST_PARTS = 16;
const LONGEST = 64;

export function isModelName(text: string): boolean {
  // Asked of every short string of a body. Nearly all end here, before anything is parsed.
  if (text.length > LONGEST || !WORDS.has(firstWord(text))) return false;
  if (!/^[a-z][a-z0-9/._:@-]*$/i.test(text)) return false;
  const parts = text.toLowerCase().match(/[a-z]+/g)!;
  if (parts.length > MOST_PARTS || !parts.some((part) => FAMILIES.has(part))) return false;
  let letters = 0;
  for (const part of parts) {
    if (LETTERS.has(part)) letters += 1;
    else if (!FAMILIES.has(part) && !QUALIFIERS.has(part)) return false;
  }
  return letters <= MOST_LETTERS;
}

function firstWord(text: string): string {
  let end = 0;
  for (; end < text.length; end++) {
    const letter = text.charCodeAt(end) | 0x20;
    if (letter < 0x61 || letter > 0x7a) break;
  }
  return text.slice(0, end).toLowerCase();
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
