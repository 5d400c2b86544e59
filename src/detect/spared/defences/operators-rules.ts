/**
 * Rules that are honest where an operator writes them and nowhere else: in what a tool returns, the first hides what it
 * wants done.
 */
const UNNAMED_TOOLS =
  /^(?:important )?(?:you (?:must|should|shall) )?(?:never|do not|don t|not) (?:ever )?(?:(?:tell|inform) the users? (?:that )?you (?:use|used|are using|call|called|are calling|have) (?:this|the|these|any|a) tools?|(?:mention|refer to|say|show|disclose|reveal|use) (?:the |any |your )?(?:tool names?|tools? by name|names? of (?:the |your |any |a |this )?tools?) (?:to|with|when (?:speaking|talking|writing) (?:to|with)|in (?:messages|answers) to) the users?)$/;

/** `Do not tell the user that you use this tool`: it is the tool that is not named, and nothing that is done with it. */
export function leavesToolsUnnamed(words: readonly string[]): boolean {
  return UNNAMED_TOOLS.test(words.join(' '));
}

const FOLLOWED =
  /^(?:you (?:must|should|shall) )?(?:always |please |strictly )?(?:follow|adhere to|comply with|respect|obey|observe) (?:all |the |our |all of )?(?:[a-z]{2,16} )?(?:content|usage|safety|community|use) (?:polic(?:y|ies)|guidelines|rules)$/;

/** `Follow our content policies.` Of one that is followed, nothing is stepped around. */
export function followsPolicies(words: readonly string[]): boolean {
  const said = words.join(' ');
  return FOLLOWED.test(said) && !NONE.test(said);
}

const NONE = / (?:no|not|none|without|zero|fewer|less) /;
