import { behindWords, closedWords, isAmong, wordsOf } from '../closed-words.ts';

/** `Employees must not bypass the safety filters of AI tools`: who may not is named, and what, and no more. */
const OF_STAFF =
  /^(?:all )?(?:employees|staff|users|workers|contractors|mitarbeitende|mitarbeiter|mitarbeiterinnen|beschaftigte|los empleados|los trabajadores|los usuarios|queda prohibido|esta prohibido|il est interdit aux salaries de|il est interdit de|os funcionarios|os colaboradores|i dipendenti|medewerkers)(?: |$)/;
const FORBIDDEN =
  /(?:^| )(?:(?:must|may|shall|should|can) (?:not|never)|durfen .{0,80}nicht|no (?:deben|pueden)|prohibido|interdit|nao (?:devem|podem)|non (?:devono|possono)|mogen .{0,80}niet)(?: |$)/;
const OF_POLICIES = closedWords(
  `all employees staff users workers contractors must may shall should can not never attempt try to bypass circumvent override disable deactivate remove switch off or and the any of built in into safety security content
   filter filters measures guardrails safeguards ai artificial intelligence tool tools system systems model models them
   mitarbeitende mitarbeiter mitarbeiterinnen beschäftigte dürfen die sicherheitsfilter schutzfilter inhaltsfilter von ki werkzeugen systemen tools nicht umgehen deaktivieren abschalten oder überschreiben
   los las empleados trabajadores usuarios no deben pueden queda está prohibido eludir desactivar anular burlar ni o filtros de seguridad contenido la herramientas inteligencia artificial ia sistemas
   il est interdit aux salariés contourner désactiver neutraliser les filtres sécurité des outils d intelligence artificielle ia ou
   os funcionários colaboradores não devem podem contornar desativar filtros segurança da das ferramentas sistemas
   i dipendenti devono possono aggirare disattivare filtri sicurezza degli strumenti sistemi
   medewerkers mogen veiligheidsfilters omzeilen uitschakelen`,
);

/** A clause without the policy that it is. */
export function withoutPolicy(clause: string): string {
  const words = wordsOf(clause);
  if (words === null) return clause;
  const end = words.findIndex((word) => !isAmong(OF_POLICIES, word));
  const known = words.slice(0, end < 0 ? words.length : end);
  const joined = known.join(' ');
  const isRule = forbids(joined) && !/\p{L}/u.test(behindWords(clause, known.length));
  return isRule ? ' ' : clause;
}

/** Whether the no follows on who is named, and no other follows on it. */
function forbids(joined: string): boolean {
  const who = OF_STAFF.exec(joined)?.[0].trimEnd();
  if (who === undefined || /\b(?:not|never) (?:not|never)\b/.test(joined)) return false;
  return IS_FORBIDDEN.test(who) || FORBIDDEN.exec(joined.slice(who.length))?.index === 0;
}

const IS_FORBIDDEN = /prohibido|interdit/;
