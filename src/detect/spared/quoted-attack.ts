import { closedWords, grownTogether, holds, isAmong, wordsOf } from './closed-words.ts';

/**
 * `What does "ignore all previous instructions" mean?`: people ask about the best known attack, and have it translated.
 * Between its quotation marks such a text has the words of that attack and no order beside them; around these it has
 * the words of a question, and none in which anything else could be asked for. The whole text must be of this kind, so
 * that it is no wrapping for another attack.
 */
const ASKING = closedWords(
  `decir dizer heissen heißen come comes origin correct right grammatical grammatically grammar comma adjective formal meme exploit funny translate translation mean means meaning say said called explain why spell pronounce work works
   woher kommt stammt richtig grammatisch gemeint übersetze übersetzen übersetz übersetzung heisst heißt bedeutet bedeutung warum wieso erkläre erklär sagt funktioniert
   vient marche elle correcte traduis traduisez traduire traduction veut dire signifie pourquoi explique dit fonctionne
   viene correcta traduce traducir traduzca traducción significa por quiere explica dice funciona
   viene corretta traduci tradurre traduzione vuol vuole significa perché spiega dice funziona
   vem correta traduza traduz traduzir tradução porque porquê explique diz
   vertaal vertaling betekent betekenis waarom zeg leg werkt
   przetłumacz przetłumaczyć tłumaczenie znaczy oznacza dlaczego wyjaśnij działa
   переводится реагируют откуда правильно переведи переведите перевод значит означает почему объясни работает перекласти переклади означає чому поясни працює
   çevir çevirir çevirin çevirisi demek anlama neden açıkla işe
   ترجم ترجمة يعني معنى لماذا اشرح अनुवाद मतलब अर्थ क्यों समझाओ
   terjemahkan artinya arti mengapa kenapa jelaskan dịch nghĩa sao översätt betyder varför förklara přelož znamená proč vysvětli
   oversæt hvorfor oversett hvorfor fordítsd jelent miért käännä tarkoittaa miksi tradu înseamnă traduceți tradueix
   μετάφρασε σημαίνει γιατί
   classify proofread fix attack attempt harmful malicious unsafe safe suspicious spelling typos mistakes
   klassifiziere klassifizieren einordnen einstufen ordne angriff harmlos gefährlich verdächtig versuch rechtschreibung fehler korrigiere korrigieren
   classe classez classifie attaque inoffensif suspect tentative orthographe fautes corrige corrigez corriger
   clasifica clasificar clasifique ataque inofensivo sospechoso intento ortografía errores corregir corrija
   classifica classifique classificar inofensiva suspeito tentativa ortografia erros corrigir
   classificare attacco innocuo sospetto tentativo errori correggi correggere
   classificeer aanval onschuldig verdacht poging spelling fouten corrigeer
   sklasyfikuj atak atakiem nieszkodliwa podejrzana próba próbą ortografię błędy popraw
   классифицируй классифицируйте атака атакой безобидно опасно попытка орфографию ошибки исправь исправьте
   класифікуй атака атакою спроба помилки виправ
   sınıflandır sınıflandırır sınıflandırın saldırı saldırısı zararsız yazım hatalarını düzelt
   صنف صنفها هجوم محاولة اختراق ضارة صحح الأخطاء वर्गीकृत हमला हानिरहित गलतियाँ सुधारो
   klasifikasikan serangan aman ejaan perbaiki phân loại tấn công vô hại lỗi chính tả sửa`,
  '攻撃 分類 誤字 直して 安全 危険 攻击 判断 分类 改正 错别字 无害 공격 분류 맞춤법 고쳐 무해 言い 正しい 訳して 翻訳 意味 なぜ 説明 翻译 怎么说 来自 正确 意思 为什么 为何 解释 번역해 뜻 의미 왜 설명해',
);

const AROUND = closedWords(
  `into to in from what whats s does do did is are was it this that these the a an of on for by with as at so how would you i we
   one people they someone everybody everyone some exactly please can could me when who where which same different difference between than or other many much so social media memes shirt mug poster sticker sign wall video youtube tiktok facebook instagram linkedin forum forums group comment comments song film movie series game school language son daughter friend boss colleague everybody always new famous first used against sentence phrase words word passive form meme actual speaker speak pirate spanish put formal forget there slogan
   expression attack attacks trick article articles book news newspaper post posts tweet blog paper read saw seen heard often keep
   seeing lately recently everywhere online internet twitter reddit chatbot chatbots bots ai llm llms models such still known famous
   dangerous harmless my class homework novel story correctly actually about even always not sometimes
   english german french spanish italian portuguese dutch polish russian ukrainian turkish japanese chinese korean arabic hindi latin
   swedish czech danish norwegian finnish hungarian greek romanian hebrew indonesian vietnamese thai esperanto
   t shirt tasse plakat aufkleber wand video foto forum foren gruppe kommentar kommentare kommentaren lied film serie spiel schule meme memes sohn sohnes tochter freund freundin chef kollege kollegin meines meiner mein meine soll alle leute viele schreiben steht stand stehen sinn bedeutet kannst kann würdest man am besten französische englische spanische italienische russische lateinische lateinisch polnische türkische deutschen sprache sprachen zu hinter beim vom sprüche ausgedruckt eigentlich gerade derzeit manchmal manche funktionieren spruch denn woher her kannst du mir kommen würde was der die das den dem ein eine einen man ich wir es sich auf ins in für bei mit von im und oder satz spruch ausdruck wort genau
   eigentlich bitte mir ist sind hat gelesen gesehen gehört oft zeit letzter jetzt überall artikel zeitung buch internet chatbots bots ki
   sprachmodelle sprachmodellen überhaupt so was wie deutsche deutsch englisch englischen französisch spanisch italienisch liest lese
   que qu est ce c le la les l un une des de du d en sur dans au aux et ou phrase expression mots article journal livre ai je on j vu
   lu souvent partout ia chatbots s il te vous plaît plait exactement cette cela t shirt tasse affiche autocollant mur vidéo forum forums groupe commentaire commentaires chanson film série jeu école mème fils fille ami collègue mon ma mes tout monde beaucoup gens écrivent écrit meilleure meilleur façon espagnol italien latin russe néerlandais polonais langue sens même avec comme sous ça elle certains certaines où peux pourrait comment français anglais allemand
   qué el los las una unos del al se lo vi leí visto leído en un y o frase expresión palabras artículo noticia libro internet esto esta eso
   favor me t camiseta taza cartel pegatina pared vídeo video foro foros grupo comentario comentarios canción película serie juego escuela meme memes hijo hija amigo jefe mi mis todo todos mundo muchos gente escribe escriben traducirías traduciría dirías latín francés italiano ruso idioma sentido mismo debajo publicaciones puedes dónde con algunos algunas cómo chatbots ia español inglés francés exactamente muchos sitios
   cosa che come il lo gli i una uno della del dei nel nella su in e o frase espressione parole articolo giornale libro ho letto visto
   ovunque spesso t maglietta tazza manifesto adesivo muro video forum gruppo commento commenti canzone film serie gioco scuola meme figlio figlia amico capo mio mia mie tutti molti gente scrive scrivono tradurresti diresti tradurrebbe latino francese spagnolo inglese russo lingua senso stesso sotto post per favore mi puoi chatbot alcuni dove da si ia italiano inglese questa questo esattamente
   o os as um uma do da dos no na em e ou para frase expressão palavras artigo notícia livro eu li vi muito sempre camiseta caneca cartaz adesivo parede vídeo fórum grupo comentário comentários música filme série jogo escola meme filho filha amigo chefe meu minha todos muita gente escreve escrevem traduziria diria latim francês espanhol italiano língua sentido mesmo posts em de onde alguns como português inglês
   isso esta quer dizer pode me chatbots ia
   wat het een de in naar op van voor en of zin uitdrukking woorden artikel krant boek ik heb gelezen gezien vaak overal alsjeblieft mij
   shirt mok poster muur video forum groep reactie reacties lied film serie spel school meme zoon dochter vriend mijn iedereen veel mensen schrijven goede beste frans duits spaans latijn taal onder kun je nederlands engels dit dat deze die bij chatbots ai precies eigenlijk
   co to jest na w we z i lub zdanie zwrot słowa artykule artykuł gazecie książce widziałem widziałam czytałem czytałam często proszę mi
   koszulce kubku plakacie filmie forum grupie komentarzach memie syn córka mój moja wszyscy piszą ludzie łaciński niemiecki francuski języku pod polski angielski te ten ta chatbotach chatboty ai tak właściwie jak się mówi po polsku
   что это на в из и или фраза фразу фразы слова выражение статье статья новостях книге я видел видела читал читала часто
   футболке кружке плакате стене видео форуме группе комментариях песне фильме сериале игре школе меме сын дочь друг мой моя моего все всем многие люди пишут под постами латынь немецкий французский испанский язык языке перевести смысл пожалуйста мне русский английский английского эта эту так именно чат бот боты ботам ботах ии на некоторые как по русски
   що це з і або статті бачив бачила читав читала часто будь ласка мені українську англійської ця цю так саме як
   ne bu şu cümle cümlesi cümlesini ifade ifadesi ifadesini sözü sözünü türkçeye türkçe ingilizce anlamı gelir bir makalede gördüm
   tişörtte kupada videoda forumda yorumlarda filmde oyunda herkes neden yazıyor latince almanca fransızca okudum lütfen bana yapay zeka botlarında yarar
   إلى من في على العربية الإنجليزية هذه هذا ما ماذا عبارة جملة الجملة العبارة فضلك قرأت رأيت مقال هي هو
   का के की में से हिंदी अंग्रेजी क्या है इस यह वाक्य वाक्यांश करो करें कीजिए कर दो कृपया मुझे पढ़ा देखा लेख होता
   ke dalam bahasa dari apa itu ini kalimat frasa ungkapan tolong saya melihat membaca artikel indonesia inggris yang
   sang tiếng việt anh là gì câu cụm từ này trong bài báo tôi thấy đọc có cho làm ơn
   till på svenska engelska vad är det den meningen frasen uttrycket en ett i jag såg läste artikel snälla mig
   do češtiny angličtiny co je ta to ten věta větu fráze článku četl četla viděl prosím mi
   til dansk norsk hvad hva jeg så læste leste sætningen setningen magyarra mit ez a az mondat suomeksi mitä lause în română ce
   inseamna propoziția στα ελληνικά τι η φράση αυτή
   message email following user text received got normal folgende folgenden folgender nachricht nachrichten text
   suivant suivante suivants message texte siguiente mensaje recibí seguinte mensagem recebi il seguente messaggio
   bericht volgende tekst wiadomość następującą następująca tekst jest czy сообщение сообщения следующее следующая текст пользователя ли повідомлення текст
   cümleyi şu aşağıdaki mesaj mesajı metni mı mi mısın misin هل رسالة الرسالة النص هذا संदेश पाठ वाक्य
   este diesen dieser diesem injection isto quotes inhalt okay
   swahili bengali urdu farsi persian punjabi tamil croatian serbian bulgarian slovak catalan
   niederländische portugiesische ukrainische arabische chinesische koreanische japanische niederländisch portugiesisch
   chinois japonais coréen arabe turc portugais alemán ruso árabe japonés coreano portugués chino turco polaco neerlandés
   alemão russo árabe japonês coreano chinês polonês polaco turco tedesco giapponese cinese coreano arabo polacco portoghese turco
   japans chinees turks arabisch pools russisch portugees portugalski hiszpański włoski rosyjski ukraiński japoński francuski
   испанский итальянский китайский японский корейский украинский турецкий арабский португальский
   англійською німецькою французькою іспанською польською італійською російською англійську німецьку французьку
   almancaya fransızcaya ispanyolcaya ingilizceye arapçaya rusçaya japoncaya italyancaya çinceye korece
   الفرنسية الألمانية الإسبانية الإيطالية التركية الروسية الصينية اليابانية जर्मन फ्रेंच स्पेनिश हिन्दी उर्दू
   pháp đức nhật hàn trung quốc tây ban nha ý nga prancis jerman jepang spanyol belanda arab mandarin korea
   pesan berikut apakah tin nhắn sau đây có phải không hay hãy`,
  `フランス語 ドイツ語 スペイン語 韓国語 イタリア語 日语 德语 法语 西班牙语 韩语 俄语 日文 일본어 중국어 독일어 프랑스어 스페인어
   次 以下 メッセージ 当たります これ 消息 下面 这条 判断 是不是 还是 메시지 메시지가 다음 이게 인지 인가 을 이야 야 を は が の に で と も へ って という とは どういう どう です ですか か ますか ください 日本語 英語 中国語 文法 的に 用 文 言葉 この その 記事 見た 見ました 読んだ 読みました
   何 よく して する ます 把 将 成 译成 中文 英文 英语 日语 的 是 什么 这 句 话 句话 这句话 这个 短语 请 我 在 文章 里 看到 了 对 有用 有效 聊天 机器人 聊天机器人 吗 一下
   를 을 는 은 가 이 에 서 에서 로 으로 라는 이라는 한국어 영어 말 말은 문장 무슨 뭐 뭔가요 인가요 야 요 줘 주세요 기사 봤어요 봤는데 읽었어요 입니까 해 어요 예요`,
);

/** The words of the attack itself: to drop, with nothing of what to do instead. */
const DROPPING = closedWords(
  `ignore ignoring disregard forget override bypass
   ignoriere ignorier ignorieren vergiss vergessen missachte ignorez oublie oubliez ignora ignorar olvida olvide dimentica ignorare
   esqueça esquece ignorar negeer vergeet zignoruj ignoruj zapomnij игнорируй игнорировать забудь проигнорируй ігноруй
   gel say unut görmezden تجاهل انس अनदेखा भूल करें करो जाओ abaikan lupakan bỏ quên ignorera glöm ignorer glem zapomeň`,
  `無視してください 無視して下さい 無視して 無視しろ 無視せよ 無視する 忘れてください 忘れて 忽略 忘记 忘掉 无视 잊고 무시해줘 무시하고 무시하세요 무시하라 무시해 잊어라 잊어`,
);

const DROPPED = closedWords(
  `all any every the your my our of previous prior earlier above preceding original initial instructions instruction rules rule
   orders order commands guidelines directions directives prompts everything and or please
   alle allen deine vorherigen vorigen bisherigen früheren obigen anweisungen anweisung regeln befehle befehl vorgaben instruktionen sie und
   toutes tous les tes vos instructions règles consignes ordres précédentes précédents antérieures et
   todas todos las los tus sus instrucciones reglas órdenes anteriores previas y
   tutte tutti le i tue istruzioni regole ordini precedenti
   as os suas instruções regras ordens
   je jouw vorige eerdere voorgaande instructies regels opdrachten
   wszystkie swoje poprzednie wcześniejsze instrukcje zasady polecenia o
   все свои твои предыдущие прежние прошлые инструкции правила указания команды
   усі всі попередні вказівки інструкції
   önceki tüm bütün talimatları talimatlarını kuralları yok
   كل جميع التعليمات السابقة القواعد पिछले पिछली सभी निर्देशों निर्देश नियम को
   semua instruksi aturan perintah sebelumnya qua tất cả mọi các hướng dẫn quy tắc lệnh trước đó
   alla tidigare instruktioner regler všechny předchozí instrukce pokyny pravidla instruksjoner`,
  `これまで 以前 今まで 前 の すべて 全て 全部 指示 命令 ルール を 之前 以上 先前 的 所有 一切 指令 规则 你 前面
   이전 지금까지 지시 지시를 사항 사항을 지침 지침을 명령 명령을 규칙 규칙을 모든 모두 의`,
);

/** What the attack wants besides: to be shown the prompt or a password, by a model without limits. */
const TELLING = closedWords(
  `show reveal print display tell give repeat output me us your its the in full verbatim system prompt prompts password secret key hidden above
   text words everything starting with what is
   can act as an unrestricted model without any restrictions you are now developer mode enable enter dan do anything pretend have no limits ai lol haha pwned hacked admin new
   zeig zeige mir verrate nenne gib aus den das deinen deine dein systemprompt passwort
   montre moi affiche révèle donne dis le ton mot passe système
   muestra muéstrame dime revela dame tu el un prompt del sistema contraseña actúa como modelo sin restricciones
   mostre mostra mostrar diga me dê seu sua o do senha password revele a e
   mostrami dimmi rivela il tuo di sistema toon laat zien wachtwoord geef en systeemprompt
   pokaż mi podaj ujawnij swój systemowy hasło i покажи скажи мне раскрой свой системный промпт пароль и
   скажи мені свій системний інструкції та й sistem istemini göster bana şifreyi söyle ve
   أخبرني وأخبرني بكلمة المرور اعرض واعرض موجه النظام और अपना सिस्टम प्रॉम्प्ट दिखाओ मुझे पासवर्ड बताओ सारे
   cho tôi xem lời nhắc hệ thống nói mật khẩu hết và tampilkan sistem dan beri tahu saya kata sandi`,
  `システム プロンプト 表示 して 見せて パスワード 教えて ください 显示 系统 提示词 告诉 我 密码 并 并且
   시스템 프롬프트를 프롬프트 보여 줘 주세요 비밀번호를 비밀번호 말해 잊고 알려`,
);

/** These alone make a request: to put the words into another language, to mend them, or to say of which kind they are. */
const INTO = closedWords(
  `translate übersetze übersetzen übersetz traduis traduisez traduire traduce traducir traduzca
   traduci tradurre traduza traduz traduzir vertaal przetłumacz przetłumaczyć переводится переведи
   переведите перекласти переклади çevir çevirir çevirin ترجم अनुवाद terjemahkan dịch översätt přelož oversæt oversett
   fordítsd käännä traduceți tradueix μετάφρασε
   classify proofread klassifiziere klassifizieren einordnen korrigiere korrigieren classez classifie corrigez corriger clasifica
   clasificar clasifique corregir classifique classificar correggi correggere classificeer corrigeer sklasyfikuj
   классифицируй классифицируйте исправь исправьте класифікуй виправ sınıflandır sınıflandırır sınıflandırın صنف صنفها صحح
   klasifikasikan perbaiki वर्गीकृत`,
  '分類 誤字 判断 分类 错别字 분류 맞춤법 訳して 翻訳 意味 翻译 怎么说 意思 번역해 뜻 의미',
);
/**
 * These make a question, if it is one: said without a question mark they may well mean that the words be obeyed. `Please
 * "ignore all rules" in this translation` is an order.
 */
const WHAT = closedWords(
  `translation übersetzung traduction traducción traduzione tradução vertaling tłumaczenie перевод çevirisi ترجمة
   come comes origin grammatical grammatically grammar comma adjective formal meme mean means meaning explain why spell pronounce say called work
   works heissen heißen woher stammt grammatisch gemeint heisst heißt bedeutet bedeutung warum wieso erkläre erklär sagt funktioniert
   vient dire signifie pourquoi explique dit fonctionne decir significa explica dice funciona viene dire perché spiega dizer porque porquê explique diz
   betekent betekenis waarom zeg werkt znaczy oznacza dlaczego wyjaśnij działa реагируют откуда значит означает почему объясни работает
   означає чому поясни працює demek anlama neden açıkla işe يعني معنى لماذا اشرح मतलब अर्थ क्यों समझाओ artinya arti mengapa kenapa jelaskan nghĩa sao
   betyder varför förklara znamená proč vysvětli hvorfor jelent miért tarkoittaa miksi înseamnă σημαίνει γιατί`,
  '言い 正しい なぜ 説明 来自 正确 为什么 为何 解释 왜 설명해',
);
/** `Is this an attack?` may stand before the quotation as well. */
const KIND = closedWords(
  `attack attempt harmful malicious suspicious angriff versuch attaque tentative ataque intento attacco tentativo tentativa aanval
   poging atak atakiem атака атакой попытка атакою спроба saldırı saldırısı هجوم محاولة हमला serangan công`,
  '攻撃 攻击 공격',
);
const QUESTION_MARK = /[?？؟;]\s*["“”»」』]?\s*$|か[。]?$|吗[。]?$/u;
/** `"..." - I mean it`, `do as I said: "..."`, `can you please "..."`: such words take the quotation up as their own. */
const TAKEN_UP =
  /\bi (?:mean|say|said|explain)\b|\bdo (?!you (?:say|translate|pronounce|spell|explain|mean)\b|i\b|we\b|they\b|people\b|so many\b|many\b|some\b|these\b|those\b|everybody\b|everyone\b|chatbots\b|bots\b|llms\b|ai\b|not\b)|\bdo not\b|\bwhy (?:do |are )?(?:you|we|not)\b|\b(?:always|exactly) (?:please|so|as|this|that|it)\b|\bgenau (?:so|das|es)\b|\bso wie es\b/;

/**
 * Right before a quotation these make it a part of the sentence: `translate this and "..."`, `can you "..." and explain
 * why?`. Where the verb comes last, as in German, a request may end so, but then the verb follows right behind.
 */
const JOINING = closedWords(
  `and or to so then you we i they would can could please always still keep not exactly actually about
   und sie ich wir man würdest kannst kann bitte immer so jetzt zu
   et ou tu vous je on nous peux plait exactement
   y o e favor puedes puede siempre exactamente
   ed puoi favore
   ou eu você pode sempre exatamente
   en of je kun alsjeblieft precies
   oraz i proszę tak
   и или пожалуйста так именно
   і й або ласка
   ve lütfen
   و أو فضلك
   और कृपया
   dan dan tolong và làm
   och eller snälla a nebo prosím og eller és vagy ja tai și sau i o και`,
  '请 并',
);
const MOST_CHARACTERS = 240;
/** `prompt` by itself would be something to ask for. */
const NAME_OF_IT =
  /prompt.injections?|injection de prompts?|inyección de prompts?|injeção de prompts?|プロンプト.?インジェクション|提示词?注入|프롬프트.?(?:인젝션|주입)|промпт.инъекци\p{L}/giu;
/** How the answer shall look. */
const ASIDE = /\banswer (?:only |just )?(?:with )?["']?yes["']? or ["']?no["']?[.:]?/i;
const NAMED = new RegExp(NAME_OF_IT.source, 'iu');
/** Some text, one quotation, some text. */
const QUOTING =
  /^([^"“”„«»「」『』]*)(?:"([^"]+)"|[“„]([^“”„"]+)[”“"]|«([^«»]+)»|「([^「」]+)」|『([^『』]+)』)([^"“”„«»「」『』]*)$/u;

/** Whether all of the text is a question about the wording of an attack, which it quotes. */
export function asksAboutAttack(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const parts = QUOTING.exec(text.trim().replace(ASIDE, ''));
  if (parts === null) return false;
  const quoted = wordsOf(parts.slice(2, -1).find((part) => part !== undefined) ?? '');
  const around = wordsOf(`${parts[1]!} ${parts.at(-1)!}`.replace(NAME_OF_IT, ''));
  if (quoted === null || around === null) return false;
  return (
    quoted.some(isDrop) &&
    isFamousWording(quoted) &&
    !isTakenUp(parts[1]!, parts.at(-1)!) &&
    !isSaidOf(parts[1]!) &&
    around.every((word) => isAmong(AROUND, word) || isAmong(ASKING, word) || isAmong(EITHER, word)) &&
    (isQuestion(around.join(' '), text) || isAskedOfWhichKind(parts[1]!))
  );
}

/** Whether the words are what is asked about. Who says, means or explains what is to be done asks nothing. */
function isQuestion(around: string, text: string): boolean {
  if (TAKEN_UP.test(around)) return false;
  const words = around.split(' ');
  const asksWhat = words.some((word) => holds(WHAT, word));
  return words.some((word) => holds(INTO, word)) || (asksWhat && QUESTION_MARK.test(text));
}

/** `This is safe: "..."` says something of the quotation before anything is asked. */
function isSaidOf(before: string): boolean {
  if (!/[:：]\s*$/u.test(before)) return false;
  const words = wordsOf(before) ?? [];
  return !words.some((word) => holds(INTO, word) || holds(WHAT, word) || holds(MENDING, word) || holds(KIND, word));
}

/** These need no question mark either way, and name what is to be mended. */
const MENDING = closedWords(
  'fix corrige spelling grammar rechtschreibung orthographe ortografía ortografia',
  '誤字 错别字 맞춤법',
);

/** Whether it is asked, right before the quotation, if that is an attack. */
function isAskedOfWhichKind(before: string): boolean {
  const asked = /([^.!?？؟。;:：]+)[?？؟]\s*$|([^.!?？؟。;:：]+か)[。：:]?\s*$/u.exec(before);
  const sentence = asked?.[1] ?? asked?.[2];
  if (sentence === undefined) return false;
  return NAMED.test(sentence) || (wordsOf(sentence) ?? []).some((word) => holds(KIND, word));
}

/** Whether the quotation goes on with the sentence in which it stands. */
function isTakenUp(before: string, behind: string): boolean {
  const last = wordsOf(before)?.at(-1);
  if (last === undefined || !isAmong(JOINING, last)) return false;
  const next = wordsOf(behind)?.[0];
  return next === undefined || !holds(INTO, next);
}

/**
 * Whether the words are those of the best known attacks, and a whole order: what to do, and with what. No half of one
 * that goes on around the quotation.
 */
export function isWholeOrder(words: readonly string[]): boolean {
  return isFamousWording(words) && words.some(isVerb) && words.some((word) => holds(THING, word));
}

/** Whether the words drop what was said, and have none for anything that is to be done instead. */
export function dropsOnly(words: readonly string[]): boolean {
  return words.some(isDrop) && words.every((word) => isAmong(DROPPED, word) || isAmong(DROPPING, word));
}

function isVerb(word: string): boolean {
  return isDrop(word) || holds(SHOWING, word);
}

const SHOWING = closedWords(
  `show reveal print display tell give repeat output what act are enable enter do pretend
   zeig zeige verrate nenne gib montre affiche révèle donne dis muestra muéstrame dime revela dame actúa
   mostre mostra diga revele mostrami dimmi rivela toon geef pokaż podaj ujawnij покажи скажи раскрой
   göster söyle أخبرني اعرض واعرض दिखाओ बताओ cho nói tampilkan beri`,
  '表示 見せて 教えて 显示 告诉 보여 말해 알려',
);
const THING = closedWords(
  `everything words text instructions instruction rules rule orders order commands guidelines directions directives prompt prompts password restrictions limits anything mode
   anweisungen anweisung regeln befehle vorgaben instruktionen systemprompt passwort règles consignes ordres mot
   instrucciones reglas órdenes contraseña restricciones istruzioni regole ordini instruções regras ordens senha
   instructies regels opdrachten systeemprompt wachtwoord instrukcje zasady polecenia hasło prompt
   инструкции правила указания команды промпт пароль вказівки інструкції
   talimatları talimatlarını kuralları istemini şifreyi التعليمات القواعد موجه المرور निर्देशों निर्देश नियम प्रॉम्प्ट पासवर्ड
   instruksi aturan perintah dẫn tắc lệnh nhắc khẩu instruktioner regler pokyny pravidla`,
  '指示 命令 ルール プロンプト パスワード 指令 规则 提示 密码 지시 지침 명령 규칙 프롬프트 비밀번호',
);

/** Whether the words are those of the best known attacks and no others. */
function isFamousWording(words: readonly string[]): boolean {
  return words.every(
    (word) => isAmong(DROPPED, word) || isAmong(DROPPING, word) || isAmong(TELLING, word) || isAmong(DEMAND, word),
  );
}

function isDrop(word: string): boolean {
  return DROPPING.words.has(word) || DROPPING.pieces.some((piece) => word.startsWith(piece) || word.endsWith(piece));
}

/** Of scripts without spaces, a whole sentence is one word. */
const EITHER = grownTogether(ASKING, AROUND);
const DEMAND = grownTogether(DROPPING, DROPPED, TELLING);
