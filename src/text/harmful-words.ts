/**
 * English words of crime and harm. Nobody writes more than one of them in leet by accident, and what is asked for in leet
 * is mostly among them.
 */
export const HARMFUL_WORDS: readonly string[] = (
  'abduct abuse addict addiction alcohol anonymous antisemitic arson assassin assassinate assault atomic authorities ' +
  'backdoor bitcoin blackmail bombs botnet bribe bribery bribes brute bullying burglary cannibal cartel cheat cheating ' +
  'children clone cloned cloning cocaine conspiracy corpse corrupt counterfeit crack cracking crime crimes criminal ' +
  'cruelty cyanide cyberbullying dealer deceive defamatory defame detailed detergent detonate discriminate discriminatory ' +
  'disinformation dismember dispose drunk dynamite embezzle encourages encourage erotic escape ethnic evade evading ' +
  'execution explicit exploits explosive explosives extort extortion extremist fabricate fabricated fake falsify fatal ' +
  'fentanyl firearm firearms forge forged forgery fraud fraudulent gambling gender genocide glorifies glorify graphic ' +
  'groom gunpowder guns hacked hacking harass harassing harassment harm harming hatred heroin hijack hostage homemade ' +
  'identity illegally immigration impersonate incite incites inferior infect inject insider insulting intimidate ' +
  'jailbreaks justify keylogger kidnap kidnapping kidnapped killer killing kills knife laundering launder laundry lethal ' +
  'mafia manipulate manipulation manufacture massacre meth methamphetamine minority misinformation misogynistic mobs ' +
  'molotov murder murderer murdered napalm nazi negative nuclear obscene offensive organs overdose overthrow pedophile ' +
  'pedophilia personal phisher pipe plagiarism poisonous poisoning police porn pornographic pornography prejudice ' +
  'prescription prison private promote promotes promoting propaganda prostitution psychological race racial racism racist ' +
  'radical ransom ransomware rape rapist religion revenge ricin riot robbery rootkit sabotage sarin scam scams scheme ' +
  'seduce sell selling sexism sexist sexual sexually shooting shoplift shoplifting skimmer slander slavery slur slurs ' +
  'smuggle smuggling sniper spread spying spyware stab stalk stalker stalking stealing steals stealth stereotypes stolen ' +
  'strangle substance suicidal suicide surveillance tamper terror terrorism terrorist terrorists theft threat threaten ' +
  'threatens threatening torture toxic trafficking traffic trespass trick tricking tricks trojan unauthorized undetected ' +
  'unethical untraceable vandalism vandalize victim victims violence violent viruses voting vulnerabilities vulnerability ' +
  'vulnerable weapons welfare wiretap xenophobic'
).split(' ');
