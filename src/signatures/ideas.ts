/**
 * The intents of attackers, independent of the language. Each language supplies the words and the examples
 * (intents/LANGUAGE.yaml), while name, reason and the usual form are written here once. The `{...}` in a form are
 * word classes, which have the same names in every language. An intent that exists in one language only is defined in
 * that language's file.
 */
export const IDEAS = {
  'drop-orders': {
    name: 'Override of earlier instructions',
    category: 'prompt-injection',
    why: 'Asks the model to drop the instructions it was given. Only one who did not give them needs to ask.',
    forms: ['{drop} ... {earlier} ... {orders}'],
    sentence: true,
    within: 20,
  },
  'orders-void': {
    name: 'Earlier instructions declared void',
    category: 'prompt-injection',
    why: 'Declares that earlier instructions hold no longer. So do notices, house rules and contracts, so it takes another sign.',
    forms: ['{void} ... {earlier} ... {orders}'],
    sentence: true,
    within: 24,
  },
  'own-orders-void': {
    name: 'Instructions of the model declared void',
    category: 'prompt-injection',
    why: 'Declares that what the model itself was told holds no longer.',
    forms: ['{void} ... {yours} ... {orders}'],
    within: 24,
  },
  // In some languages a demand to drop something and a statement that it is void use different word forms. Their
  // files use a class `{cut}` here that contains both.
  'drop-talk': {
    name: 'Demand to forget what came before',
    category: 'prompt-injection',
    why: "Cuts the model off from everything above, so that only the sender's text counts.",
    forms: ['{drop} ... {earlier} ... {talk}'],
    sentence: true,
    within: 16,
  },
  'tell-prompt': {
    name: 'System prompt extraction',
    category: 'prompt-injection',
    why: "Asks for the operator's instructions, which are nobody else's business and the first step of most attacks.",
    forms: ['{tell} ... {prompt}'],
    within: 24,
  },
  'ask-prompt': {
    name: 'Question for the system prompt',
    category: 'prompt-injection',
    why: 'Asks what the operator told this very model. What such a thing is at all may be asked by anybody.',
    forms: ['{ask} ... {your-prompt}'],
    within: 24,
  },
  'tell-text-above': {
    name: 'Repetition of the text above',
    category: 'prompt-injection',
    why: "What stands above the first user message is the operator's prompt, so asking for it is asking for that.",
    forms: ['{repeat} ... {text} ... {above}'],
    within: 16,
  },
  'tell-text-over': {
    name: "Repetition of the text above the sender's message",
    category: 'prompt-injection',
    why: "Before a message stands what the operator said, and nobody who pasted something else calls it by one's own message.",
    forms: ['{repeat} ... {over}'],
    within: 24,
  },
  'reword-text-above': {
    name: 'Text above in other words',
    category: 'prompt-injection',
    why: "In other words the operator's prompt is told as well. Mostly, though, somebody means what was pasted before.",
    forms: ['{reword} ... {text} ... {above}'],
    within: 24,
  },
  'tell-secret': {
    name: 'Extraction of a kept secret',
    category: 'prompt-injection',
    why: 'Asks for something that the model was told to keep.',
    forms: ['{tell} ... {secret} ... {kept}'],
    within: 30,
  },
  'its-own-password': {
    name: 'Demand for the password of the model',
    category: 'prompt-injection',
    why: 'Wants a password of the model as of a person. Whoever has lost their own asks how to set another.',
    forms: ['{its-password} ... {tell-me}'],
    within: 20,
  },
  'claim-authority': {
    name: 'Claim of authority over the model',
    category: 'prompt-injection',
    why: "Speaks as the model's maker or operator, who would not need to say so in the conversation.",
    forms: ['{iam} ... {authority} ... {demand}'],
    within: 30,
  },
  'switch-task': {
    name: 'Turn away from the task',
    category: 'prompt-injection',
    why: "Turns the model from the operator's task to one of the sender's.",
    forms: ['{stop} ... {task} ... {instead}'],
    within: 24,
  },
  'free-persona': {
    name: 'Persona without limits',
    category: 'jailbreak',
    why: 'Describes a machine or a role that no rules bind, so that the model answers as that.',
    forms: ['{machine} ... {without} ... {limits}'],
    within: 24,
  },
  'forbid-refusal': {
    name: 'Refusal forbidden',
    category: 'jailbreak',
    why: 'Forbids the model to decline.',
    forms: ['{never} ... {refuse} ... {request}'],
    within: 16,
  },
  'lift-rules-by-mode': {
    name: 'Special mode without rules',
    category: 'jailbreak',
    why: 'Pretends that a switch exists which turns the rules off.',
    forms: ['{activate} ... {mode}'],
    within: 16,
  },
  'mode-of-free-speech': {
    name: 'Mode in which filters are off',
    category: 'jailbreak',
    why: 'Names a mode of service or test and says at once that nothing is forbidden there.',
    forms: ['{enter} ... {special-mode} ... {lifted}'],
    within: 50,
  },
  'lesson-in-fiction': {
    name: 'Forbidden lesson inside a story',
    category: 'jailbreak',
    why: 'Wants a recipe for harm, step by step, and calls it a scene. A story needs no recipe.',
    forms: ['{story} ... {lesson} ... {harm}'],
    within: 60,
  },
  'forged-marker': {
    name: 'Forged message of the system',
    category: 'prompt-injection',
    why: "Writes the mark of a system message into the user's text, and lifts the rules in it.",
    forms: ['{marker} ... {freed}'],
    within: 60,
  },
  'decode-and-do': {
    name: 'Hidden orders to be decoded and obeyed',
    category: 'prompt-injection',
    why: 'Wants done whatever an encoding hides, so that nobody reads the order before it is obeyed.',
    forms: ['{decode} ... {coding} ... {obey}'],
    within: 50,
  },
  'as-if-never-told': {
    name: 'Behaviour as if there were no rules',
    category: 'prompt-injection',
    why: 'Supposes the rules away instead of asking to drop them.',
    forms: ['{as-if} ... {never-told}'],
    within: 30,
  },
  'two-answers': {
    name: 'Two answers, one without rules',
    category: 'jailbreak',
    why: 'Has the model answer twice, so that the second answer may say what the first must not.',
    forms: ['{twice} ... {unruly}'],
    within: 60,
  },
  'no-warnings': {
    name: 'Warnings forbidden',
    category: 'jailbreak',
    why: 'Forbids the model to warn.',
    forms: ['{spare} ... {warnings}'],
    within: 20,
  },
  'dead-grandmother': {
    name: 'Grandmother who used to tell',
    category: 'jailbreak',
    why: 'Wraps a forbidden recipe or a key into the memory of a relative.',
    forms: ['{late} ... {relative} ... {forbidden}'],
    within: 50,
  },
  'guards-said-off': {
    name: 'Guards said to be off',
    category: 'jailbreak',
    why: 'Says that the rules of safety are off already, as if somebody else had decided it.',
    forms: ['{guards} ... {off} ... {here-and-now}'],
    within: 40,
  },
  'drop-system-prompt': {
    name: 'Override of the system prompt',
    category: 'prompt-injection',
    why: 'Names the system prompt, and asks to drop or to replace it.',
    forms: ['{drop} ... {system-prompt}'],
    within: 24,
  },
  'send-data-out': {
    name: 'Data sent to a stranger',
    category: 'prompt-injection',
    why: "Has the model, or its tools, carry the conversation or the user's data to an address of the sender's.",
    forms: ['{send} ... {data} ... {address}'],
    within: 40,
  },
  'speak-to-model': {
    name: 'Words addressed to the model inside data',
    category: 'prompt-injection',
    why: 'Data that speaks to the machine which reads it is not data.',
    forms: ['{model} ... {reads}'],
    within: 24,
  },
  'hide-from-user': {
    name: 'Order to hide something from the user',
    category: 'prompt-injection',
    why: 'An honest instruction has no reason to be kept from the person it serves.',
    forms: ['{hush} ... {user}'],
    within: 16,
  },
  'outrank-orders': {
    name: 'Order that puts itself above all others',
    category: 'prompt-injection',
    why: 'Nothing that is only to be read has to say that it counts for more than what the model was told.',
    forms: ['{this-order} ... {outranks}'],
    within: 30,
  },
  'errand-first': {
    name: 'Errand before the answer',
    category: 'prompt-injection',
    why: "Data that wants something done before the user's task, or in the name of the user.",
    forms: ['{first} ... {errand}'],
    within: 30,
  },
} as const satisfies Readonly<Record<string, Idea>>;

export interface Idea {
  readonly name: string;
  readonly category: string;
  readonly why: string;
  readonly forms: readonly string[];
  readonly within: number;
  readonly sentence?: boolean;
}
