/**
 * About how often a word stands in honest text. That is enough to choose, of the words that a pattern cannot match
 * without, those that are worth waiting for. Orders of magnitude, estimated and not counted: only speed depends on
 * them.
 */

const EVERYWHERE = 1 / 60;
const OFTEN = 1 / 600;
const NOW_AND_THEN = 1 / 2500;
const SOMETIMES = 1 / 4000;
const SELDOM = 1 / 30_000;

/** Words of nearly every sentence, in English and in the languages that often stand beside it. */
const EVERYWHERE_WORDS = wordsOf(`
a an the and or but if of to in on at by for from with without as is are was were be been being am do does did have has had
i me my we us our you your he him his she her it its they them their this that these those there here what which who when
where why how not no yes so than then too very can could will would shall should may might must just also only more most
all any some each every other another one two now new up out over into about after before between same own such like
s t re ve ll d m x y n e o
de la le les des du un une et en que qui el los las y es se por con para der die das und ist ein eine den dem zu von mit
nicht auf da do na em os as um uma no il di che per del al lo non sono een het van dat niet op voor je ya ka ki ke se
yang di ini itu la va khong cho w z nie to jest bir ve bu com
`);

const OFTEN_WORDS = wordsOf(`
use used using user users get give given make made take see say said tell show know think want need let look find go come
work good first last next time way people year day part place case point number end start back set put keep try ask call
write read list name text word words line page file files data code type value key id user item items order index content
message messages question questions answer answers request requests response responses result results example examples
please help task tasks following follow step steps information system model language test tests error function class
return import export const let var string true false null void public private int self def print input output api http https
url www org email mail web site server client app json html css js ts py config version document documents section
above below previous current main open close run create add update change remove delete check report include including
provide explain describe write story character role play game world life company product business customer service
process state action method object array table field process project team group change based different important general
many much few long short high low old great big small right left full free sure real own public best better still even
never always again ever both either since while until during because however though through against within under
nothing something anything everything anyone someone everyone thing things else instead really actually today
three four five six ten hundred second seconds minute minutes hour hours week month
como mais mas foi pour pas sur dans vous nous je ne plus avec como sin mas todo todos todas tout tous alle alles auch wie
nur noch oder aber wenn kann wird sind war bei nach aus tutto tutti anche come piu sono questo questa hai dan
`);

/**
 * Words about models, as people use them who talk to one. In a sentence of another language, these are the English
 * ones.
 */
const NOW_AND_THEN_WORDS = wordsOf('prompt prompts mode openai llm');

const SOMETIMES_WORDS = wordsOf(`
act acting answer begin between box bot chat chatbot assistant ai gpt person view source security secret password token
tokens admin developer command commands rule rules instruction instructions context policy guidelines
display send post share say repeat translate convert encode decode execute respond reply generate simulate pretend imagine
forget ignore stop reveal original initial prior earlier future present complete completely simple special safety content
limit limits limitations restriction restrictions filter filters ethical legal moral law laws opinion opinions story scene
purpose research academic student teacher professor owner creator admin access account address number card credit bank
phone link image picture button field form title summary note notice warning attention hello dear thank thanks sorry
`);

/** How often a word, in lower case, is expected for each word of a text. */
export function commonness(word: string): number {
  if (EVERYWHERE_WORDS.has(word)) return EVERYWHERE;
  if (OFTEN_WORDS.has(word) || word.length < 3) return OFTEN;
  if (NOW_AND_THEN_WORDS.has(word)) return NOW_AND_THEN;
  if (SOMETIMES_WORDS.has(word) || word.length === 3) return SOMETIMES;
  return SELDOM;
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word !== ''));
}
