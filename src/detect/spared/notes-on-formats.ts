/**
 * `Note to LLMs: this page has a Markdown version at /index.md`. Pages for machines begin so. The note says where the same
 * is to be had in another form, and has no room for another word; what follows on it is judged.
 */
export function withoutNotesOnFormats(text: string): string {
  return text.replace(NOTE, ' ');
}

const NOTE =
  /^(?:> ?)?(?:important )?notes? (?:to|for) (?:all )?(?:llms?|language models?|(?:ai|llm) (?:agents?|assistants?|models?|readers?)|crawlers?):? (?:this|the) (?:page|site|documentation|document|text) (?:has|is (?:also )?available (?:as|in)|can (?:also )?be (?:read|found|fetched) (?:as|in)) (?:a |an )?(?:plain )?(?:markdown|text|json|html|md)(?: (?:version|form|format|copy))?(?: (?:at|under|here:?) [\w./:-]{1,80})?\.?[ \t]*$/gimu;
