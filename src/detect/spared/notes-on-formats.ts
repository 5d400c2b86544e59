/**
 * `Note to LLMs: this page has a Markdown version at /index.md`. Pages for machines begin so. The note says where the same
 * is to be had in another form, and has no room for another word; what follows on it is judged.
 */
export function withoutNotesOnFormats(text: string): string {
  const rest = text.replace(NOTE, ' ');
  return IS_FOR_MODELS.test(text) && (text.match(LINK)?.length ?? 0) >= FEWEST_LINKS
    ? rest.replace(HEADING, ' ')
    : rest;
}

/**
 * The form of `llms.txt`: a title, a summary, and lists of pages. That it speaks to models is what the file is for, so a heading that
 * says so is no sign; what stands below it is judged.
 */
const IS_FOR_MODELS = /^# \S[^\n]{0,80}\n+> \S[^\n]{0,400}\n/u;
const LINK = /^- \[[^\]\n]{1,80}\]\([^)\s]{1,200}\)/gmu;
const FEWEST_LINKS = 2;
const HEADING =
  /^(?:#{2,4} )?(?:important )?(?:notes?|instructions?|guidance|guidelines|information|hints|tips) (?:for|to) (?:all )?(?:llms?|(?:large )?language models?|(?:ai|llm|coding) (?:agents?|assistants?|models?|tools)|ais?|agents|assistants):?[ \t]*$/gimu;

const NOTE =
  /^(?:> ?)?(?:important )?notes? (?:to|for) (?:all )?(?:llms?|language models?|(?:ai|llm) (?:agents?|assistants?|models?|readers?)|crawlers?):? (?:this|the) (?:page|site|documentation|document|text) (?:has|is (?:also )?available (?:as|in)|can (?:also )?be (?:read|found|fetched) (?:as|in)) (?:a |an )?(?:plain )?(?:markdown|text|json|html|md)(?: (?:version|form|format|copy))?(?: (?:at|under|here:?) [\w./:-]{1,80})?\.?[ \t]*$/gimu;
