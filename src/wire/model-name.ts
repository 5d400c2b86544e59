/**
 * The name of a model, which stands in nearly every call and says nothing to a model: told by its words and numbers, all of
 * them from these lists, and not by the key that it stands at, where a sender may write what he likes. Read as text it holds
 * words that many signatures wait for, and makes two passages of a body that has one.
 */
const FAMILIES = words(
  'gpt chatgpt o claude gemini gemma llama codellama mistral ministral mixtral codestral pixtral qwen qwq deepseek phi grok nova titan ' +
    'command granite falcon yi glm kimi sonar jamba dbrx solar nemotron olmo smollm starcoder nomic mxbai bge embedding',
);
const OTHERS = words(
  'openai anthropic google meta mistralai ai microsoft xai amazon cohere nvidia models bedrock azure vertex ollama openrouter us eu ' +
    'mini nano micro turbo preview latest stable sonnet opus haiku flash pro lite instant instruct chat base large small medium ' +
    'vision audio search codex coder code math it hf fp bf awq gguf gptq exp experimental thinking reasoner reasoning distill oss ' +
    'plus max ultra nightly vl moe text embed scout maverick multilingual english en',
);
/** Of sizes, versions and ways to make it smaller: `8x7b`, `v1`, `q4_K_M`. By themselves they are letters, so few of them. */
const LETTERS = words('b k m s x v q r e o t');
const MOST_LETTERS = 4;
const MOST_PARTS = 16;
const LONGEST = 64;

export function isModelName(text: string): boolean {
  if (text.length > LONGEST || !/^[a-z][a-z0-9/._:@-]*$/i.test(text)) return false;
  const parts = text.toLowerCase().match(/[a-z]+/g)!;
  if (parts.length > MOST_PARTS || !parts.some((part) => FAMILIES.has(part))) return false;
  let letters = 0;
  for (const part of parts) {
    if (LETTERS.has(part)) letters += 1;
    else if (!FAMILIES.has(part) && !OTHERS.has(part)) return false;
  }
  return letters <= MOST_LETTERS;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
