// Writes src/text/confusables.generated.ts: which characters outside ASCII look like an ASCII letter or digit.
// node scripts/confusables.mjs [--check]
// The sources are Node's own Unicode data (every letter that decomposes into an ASCII letter and marks) and the lists
// below. The published Unicode skeleton tables were rejected: they also fold ASCII itself (m to rn, 0 to O, I to l),
// which breaks ordinary patterns on ordinary English. Characters that NFKC turns into ASCII are left out, because
// NFKC runs first.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Each line has an ASCII character and then the characters of any script that look like it. */
const LOOK_ALIKES = `
A ΑАᎪᗅᗩꓮ𐊠Ⲁ𖽀∀ꭺ₳Ⓐ
B ΒВᏴᗷꓐ𐊂𐌁Ⲃ𖽁฿Ɓ
C ϹСᏟᑕꓚ𐊢𐌂Ⲥ₵ↃƇ
D ᎠᗞᗪꓓĐƉƊÐ𖼊
E ΕЕᎬⴹꓰ𐊆Ⲉ∃ƐЄɆᗴ𖼭ℇΣ
F ϜᖴꓝҒ𐊇Ƒ₣𐔥
G ԌᏀᏳꓖᘜ₲Ɠ
H ΗНᎻᕼꓧ𐋏ⲎⱧĦҢ
I ΙІӀᏆꓲⲒƗ𐊊𐌉ꟾ׀߁
J ЈᎫᒍꓙͿɈ
K ΚКᏦꓗⲔ₭Ƙ𐔘ҠҜ
L ᏞᒪꓡⳐ𐐛ⱠŁȽᒻ𐔦
M ΜМᎷᗰꓟⲘϺ₥𐊰𐌑ⱮᛖᏜ
N ΝⲚꓠ₦ƝᑎȠ𐔓
O ΟОՕⵔꓳⲞ𐊒𐊫ØƟᗝ𐐄𐓂ഠ૦
P ΡРᏢᑭꓑⲢ₱Ƥ𐊕Ᵽ
Q ԚⵕႳ
R ᎡᏒᖇꓣɌⱤƦ℟ᚱЯ
S ЅՏᏕᏚꓢ𐊖₴Ꮥᔕ
T ΤТᎢꓔⲦ₮ŦƬ𐊗𐊱𐌕⟙
U ՍሀᑌꓴꓵɄƱ𐓎
V ѴᏙᐯꓦⴸ٧Ʋ
W ԜᎳᏔꓪᗯ₩Ⱳ
X ΧХᚷⲬꓫ𐊐𐊴𐌗᙭Ӿ
Y ΥҮⲨꓬ𐊲ϒɎƳУ
Z ΖᏃꓜⲌ𐋵ȤƵⱫ
a ɑаαᴀɐ⍺ꬰⱥᶏⲁค
b ЬЪᏏᖯьъʙвƀɓϐꞗᑲᛒⲃҍ
c ϲсᴄⲥꮯ𐐽ƈȼɕↄ
d ԁᏧᑯđɗɖᴅꓒȡðժ
e еҽᴇɛєǝəεꬲɇ℮ϵэⱸⲉ
f ꬵꞙƒϝғꜰẝʄ
g ɡցɢǥɠƍᶃ
h һհᏂʜħհɦнⱨђћ
i іɩιıɪӏᎥꙇ𐑃ɨӀı⍳ꭵ˛ⲓเ
j јϳᴊɉʝյ
k κкᴋⲕƙқҡҝĸ𐐲
l ӏⅼǀʟłƚɭɫƖ
m мᴍⲙɱ₥Ɱмⅿɯʍ
n ոռɴпηƞɲɳŋΠⲛꞑղภ
o οоօഠоᴏσøɵӧ૦௦൦ꬽ๐໐ဝ၀ⲟ𐐬ੲ০୦०੦౦೦ⵙ
p рρᴘƿⲣƥᵽ⍴ϱքק
q ԛգզʠɋ
r гᴦⲅꭇꭈʀꮁɍɼɽɾяɹґ
s ѕꜱꮪ𐑈ʂȿƽ𑣁ֆร
t тᴛτŧƭʈȶʇեⲧէՇ
u սυᴜʋꭎꭒ𐓶цʉμบմย
v ѵνᴠטꮩⱱʌ
w ԝшᴡѡωաꮃⱳɯщฬ
x хχⲭ×ⅹᕁᕽ᙮ж
y уүγʏყꭚȳƴɏчⲩվ
z ᴢꮓƶȥʐʑⱬʒ
0 ߀𐒠〇
1 ߗ
2 ƧϨᒿꝚ
3 ƷЗӠȜꝪᎺзҙ
4 ᏎЧ
5 Ƽ
6 бᏮⳒ
8 Ȣȣ𐌚
9 Ꝯ୨൭ⳊӨ
`;

/** Whole alphabets in order, A to Z: the first code point of each. */
const ALPHABETS_FROM_A = {
  'negative circled': 0x1f150,
  'negative squared': 0x1f170,
  'regional indicators': 0x1f1e6,
};

/** Small capitals with a code point of their own: the letters, and in the same order their small capitals. */
const SMALL_CAPITALS = ['abcdefghijklmnopqrstuvwyz', 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'];

/** CJK and other characters whose shape "fancy text" generators use for letters. */
const FANCY = ['abcdefghijklmnopqrstuvwxyz', '卂乃匚ᗪ乇千Ꮆ卄丨ﾌҜㄥ爪几ㄖ卩Ɋ尺丂ㄒㄩᐯ山乂ㄚ乙'];

const ALNUM = /^[A-Za-z0-9]$/;
const table = new Map();

function put(source, target) {
  if (!ALNUM.test(target)) throw new Error(`not a letter or digit: ${target}`);
  // The lookup runs on text after NFKC, so an entry for a character that NFKC changes would never match.
  const normal = source.normalize('NFKC');
  if ([...normal].length !== 1 || normal.codePointAt(0) < 0x80 || table.has(normal)) return;
  table.set(normal, target);
}

for (const line of LOOK_ALIKES.trim().split('\n')) {
  const [target, sources] = line.split(' ');
  for (const source of sources) put(source, target);
}
for (const [targets, sources] of [SMALL_CAPITALS, FANCY]) {
  const from = [...sources];
  [...targets].forEach((target, i) => put(from[i], target));
}
for (const first of Object.values(ALPHABETS_FROM_A)) {
  for (let i = 0; i < 26; i++) put(String.fromCodePoint(first + i), String.fromCharCode(65 + i));
}
// Digits of other scripts come in runs of ten: U+0660 is the Arabic-Indic zero.
for (let code = 0x80; code < 0x20000; code++) {
  const char = String.fromCodePoint(code);
  if (!/^\p{Nd}$/u.test(char) || table.has(char)) continue;
  let value = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1)) && value < 9) value++;
  // A run starts at a multiple of ten after the last non-digit, so count from there.
  let first = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--;
  put(char, String((code - first) % 10));
}
// Finally every character that decomposes into ASCII, or into one of the above, plus combining marks.
for (let code = 0x80; code < 0x20000; code++) {
  if (code >= 0xd800 && code <= 0xdfff) continue;
  const char = String.fromCodePoint(code);
  const [base, ...marks] = char.normalize('NFKD');
  if (marks.length === 0 || !marks.every((mark) => /\p{M}/u.test(mark))) continue;
  const target = ALNUM.test(base) ? base : table.get(base);
  if (target !== undefined) put(char, target);
}

const byTarget = new Map();
for (const [source, target] of table) byTarget.set(target, [...(byTarget.get(target) ?? []), source.codePointAt(0)]);

const WIDTH = 120;
const lines = [];
for (const target of [...byTarget.keys()].sort()) {
  const sources = byTarget.get(target).sort((a, b) => a - b);
  const rows = [];
  let row = '';
  for (const code of sources) {
    const unit = code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
    if (row.length + unit.length > WIDTH - 10) {
      rows.push(row);
      row = '';
    }
    row += unit;
  }
  rows.push(row);
  if (rows.length === 1) lines.push(`  ['${target}', '${rows[0]}'],`);
  else
    lines.push(
      `  [`,
      `    '${target}',`,
      ...rows.map((r, i) => `    ${i ? '  ' : ''}'${r}'${i === rows.length - 1 ? ',' : ' +'}`),
      `  ],`,
    );
}

const file = fileURLToPath(new URL('../src/text/confusables.generated.ts', import.meta.url));
const text = `// Written by scripts/confusables.mjs from Unicode ${process.versions.unicode}; change the lists there.
// prettier-ignore
/** An ASCII letter or digit, and the characters outside ASCII that are taken for it after NFKC. */
export const CONFUSABLES: readonly (readonly [ascii: string, lookAlikes: string])[] = [
${lines.join('\n')}
];
`;
if (process.argv.includes('--check')) {
  const written = readFileSync(file, 'utf8');
  // A later Unicode only adds characters and never changes a decomposition, so an older file must still be part of it.
  const sameUnicode = written.includes(`from Unicode ${process.versions.unicode};`);
  const { CONFUSABLES } = await import(
    `data:text/javascript,${encodeURIComponent(written.replace(/: readonly .* =/, ' ='))}`
  );
  const stale = CONFUSABLES.some(([target, sources]) => [...sources].some((source) => table.get(source) !== target));
  if (stale || (sameUnicode && written !== text)) {
    console.error('src/text/confusables.generated.ts is not what scripts/confusables.mjs writes');
    process.exit(1);
  }
} else {
  writeFileSync(file, text);
  console.log(`${table.size} look-alikes of ${byTarget.size} characters`);
}
