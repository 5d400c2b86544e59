import { closedWords, holds, isAmong, wordsOf } from './closed-words.ts';

/**
 * `If you use Windows, ignore the instructions above`: manuals speak to the owners of one system or version. A sentence
 * of this kind names that system, and has no word for anything that could be done instead, but to read another part.
 */
const SYSTEMS = closedWords(
  `windows macos mac osx linux ubuntu debian fedora arch centos rhel alpine suse opensuse mint manjaro nixos freebsd android ios ipad
   iphone chromeos wsl wsl2 migrated upgraded updated migré migriert migrado migrato migrou docker podman kubernetes homebrew apt npm yarn pnpm pip conda raspberry aur
   version versions v1 v2 v3 v4 v5 release versión versão versione versie wersję wersji версия версию версии sürüm sürümü إصدار ويندوز
   لينكس ماك فيدورا أوبونتو विंडोज विंडोज़ लिनक्स फेडोरा उबंटू संस्करण versi phiên bản verzi`,
  'バージョン 版本 版 버전 를 을 의 는 은 windows macos mac linux ubuntu fedora debian android ios',
);

const WORDS = closedWords(
  `if when in case for on only just you your are is be have has had already migrated upgraded updated installed use uses using used run runs running
   ignore skip forget can could may might should please simply safely and or but then the this that these those it
   them they not need do does apply applies only instructions instruction steps step section sections commands command notes note
   guide part parts chapter paragraph page lines previous above earlier following below next one ones with of from to users user owners
   newer older than later new old a an as install readme docs md read see go straight
   kannst könnt nutze benutze verwende läuft laufen brauchst brauchen musst müssen nicht ist anwender nutzer besitzer wenn falls sie du man ein eine benutzt benutzen nutzt nutzen verwendet verwenden hast haben schon bereits aktualisiert installiert
   gilt gelten nur für wer kann können konnen bitte ignorieren ignoriere ignoriert überspringen überspringe vergiss vergessen die der
   das den dem diese dieser schritte schritten schritt anleitung anleitungen anweisungen hinweise befehle abschnitt abschnitte oben obigen obige
   vorherigen vorigen folgenden unten im auf mit und oder nimm nehmen installationsprogramm umgestellt migriert hat
   pouvez peux utilisateurs étapes avez installé il inutile sautez suivre lire si vous tu êtes es sous utilisez utilises avez as déjà migré installé mis à jour vers la le les l ignorez ignorer ignore passez sautez
   pouvez peux suivantes précédentes ci dessus dessous instructions étapes étape section commandes consignes ces cette concernent que sur pour de des
   du et ou avec ne pas
   ignorar ignorarlas saltar saltarte saltarse omitir usuarios usan usuario pueden debes no si usas usa utilizas utiliza tienes tiene ya has ha migrado instalado actualizado ignora ignore ignóralos ignórelos ignóralas omite omita salta
   puedes puede las los la el de en para con instrucciones pasos paso sección comandos anteriores arriba siguientes estas estos son solo sólo
   y o a la una
   ignorarle saltarle utenti possono non se usi usate usa hai avete già migrato installato aggiornato ignora ignorate ignorare ignorali salta saltate puoi potete le i il la gli
   istruzioni passaggi passi sezione comandi precedenti seguenti sopra qui sono per solo di su con alla e o
   ignorar pular pulá ignorá usuários podem não utiliza utilizam você voce usa está já migrou instalou atualizou tem ignore ignora pule pode as os a o de para em no na com instruções passos seção
   comandos acima anteriores abaixo seguintes são só e ou se
   gebruikers kunnen niet hoeft hoeven als u je gebruikt hebt heeft al reeds geïnstalleerd bijgewerkt kunt kun negeer negeren overslaan sla over de het deze die bovenstaande
   vorige volgende hierboven instructies stappen stap sectie opdrachten zijn voor alleen ze met op en of
   korzystasz korzystają użytkownicy mogą pominąć dockera windowsa linuksa macosa ubuntu z jeśli jeżeli używasz masz już zainstalowane zaktualizowałeś zignoruj zignorować pomiń możesz powyższe poprzednie następne instrukcje
   kroki krok sekcję polecenia dotyczą tylko je i lub na w z do
   пользователи могут пользуетесь пользуетеся работаете под пользователям нужно не если вы ты у вас тебя используете используешь уже установили обновились установлена игнорируйте игнорируй пропустите пропусти можете можно
   игнорировать пропустить их инструкции шаги шаг раздел команды указания выше предыдущие следующие приведенные относятся только к для на с
   и или эти этот
   користуєтеся користувачі можуть можна пропустити ігнорувати якщо ви у вас використовуєте маєте вже встановлено ігноруйте пропустіть можете їх інструкції кроки крок розділ команди вище попередні
   стосуються лише для на і або ці
   kullananlar kullanıcıları atlayabilir atlayabilirsin gerekmez kullanıyorsanız kullanıyorsan zaten yükseltilmişse yukarıdaki önceki aşağıdaki adımları adımlar adım talimatları talimatlar bölümü komutları
   yok sayın sayabilirsiniz göz ardı edin edebilirsiniz atlayın atlayabilirsiniz içindir için sadece bu veya ve
   فيمكنك يمكن للمستخدمين مستخدمو تخطي تخط إذا كنت تستخدم كان لديك بالفعل فتجاهل تجاهل تجاهلها يمكنك تجاهله التعليمات الخطوات الخطوة القسم الأوامر أعلاه السابقة التالية هذه هي لنظام
   لنظامي على في من أو و فقط
   छोड़ा जा सकता उपयोगकर्ता नहीं यदि अगर आप का की के उपयोग इस्तेमाल करते कर रहे हैं हो हों है तो ऊपर दिए दिये गए गये पिछले निर्देशों निर्देश चरणों चरण को अनदेखा छोड़ करें कर
   दें सकते इन इन्हें लिए केवल पर
   pengguna tidak perlu jika kalau anda kamu memakai menggunakan pakai sudah abaikan lewati dapat bisa boleh mengabaikan petunjuk instruksi langkah bagian
   perintah di atas sebelumnya berikut ini itu hanya untuk dan atau tersebut
   người không cần nếu bạn dùng sử dụng đang đã cài hãy bỏ qua có thể các những hướng dẫn bước phần lệnh ở trên trước đó dưới đây dành cho chỉ và hoặc chúng
   användare behöver inte om du ni kör använder har redan kan ignorera hoppa över instruktionerna stegen steget avsnittet kommandona ovan föregående nedan gäller för
   bara dem de och eller
   používáte li předchozí uživatelé mohou přeskočit nemusíte pokud hvis máte používáte již už bruger har allerede kan du ignorere instruktionerne trinene ovenfor over instruksjonene trinnene
   ignorujte přeskočte můžete pokyny kroky krok příkazy výše předchozí uvedené jsou pro jen je a nebo`,
  `構いません かまいません 方 ユーザー 不要 お使い の 場合 は を に で が 使って いる います 使用 して する すでに 既に 上記 前 上 手順 指示 説明 コマンド 以下 次 無視 スキップ ください 飛ばして 用 です だけ この
   如果 您 你 使用 的 是 在 用 请 可以 忽略 跳过 以上 上述 上面 前面 之前 步骤 说明 指令 命令 部分 适用于 仅 只 已经 已 升级 安装 则 这些 以下 它们
   사용하는 사용 하는 경우 에 에는 이미 업그레이드 위 위의 이전 다음 단계 단계를 지침 지침을 지시 설명 명령 사용하신다면 사용하신 사용자 사용자는 무시하셔도 무시해도 무시 무시하세요 무시하십시오 무시해도 건너뛰세요 됩니다 하세요 하십시오 용 입니다 이 가 하면 한다면`,
);

const MOST_CHARACTERS = 200;

/** Whether all of the sentence sets instructions aside for the owners of some system or version. */
export function isForOtherSystem(sentence: string): boolean {
  if (sentence.length > MOST_CHARACTERS) return false;
  const words = wordsOf(sentence);
  return (
    words !== null &&
    words.every(
      (word) => isAmong(WORDS, word) || isAmong(SYSTEMS, word) || isAmong(EITHER, word) || NUMBER.test(word),
    ) &&
    words.filter((word) => NUMBER.test(word)).length <= MOST_NUMBERS &&
    !FOR_EVERYBODY.test(words.join(' ')) &&
    words.some((word) => holds(CONDITIONS, word) || (isNamed(word) && words.some((one) => PLACES.words.has(one)))) &&
    words.some((word) => isNamed(word) || (SYSTEMS.words.has(word) && words.some((one) => holds(CONDITIONS, one))))
  );
}

const NUMBER = /^\d{1,3}$/;
/** Of a version: more of them could be letters. */
const MOST_NUMBERS = 4;
/** What is said of one system sets nothing aside for everybody: not of all versions, nor of whoever has it not. */
const FOR_EVERYBODY =
  /\b(?:all|any|this|these|every) (?:versions?|users|release)\b|\bnot (?:use|using|run|running|on|have|a|an|the|a? ?(?:windows|macos|linux))\b|\bdo (?!not\b)|\b(?:if|when|as) you (?:read|see)\b/;
/** Is true of some only. */
const CONDITIONS = closedWords(
  `if when case users user owners wenn falls wer benutzt anwender nutzer si utilisateurs usuarios se usuários utenti als gebruikers jeśli jeżeli
   korzystasz korzystają użytkownicy если пользователи пользователям якщо користувачі kullananlar kullanıcıları kullanıyorsanız kullanıyorsan
   yükseltilmişse إذا للمستخدمين مستخدمو यदि अगर उपयोगकर्ता jika kalau pengguna nếu người om användare pokud hvis li uživatelé`,
  '場合 ユーザー お使い 方は 如果 用户 경우 사용자 사용하신다면',
);
/** The same of named systems alone: `On Arch, ...`, `Windows: ...` */
const PLACES = closedWords(
  'on for under auf unter für pour sur sous para en em no na per su op voor na для на для på w z do under trên dành di على في لنظام पर',
);
const EITHER = closedWords('', [...WORDS.pieces, ...SYSTEMS.pieces].join(' '));
/** Not the name of a system: of these, everybody has some. */
const COMMON = closedWords(
  `migrated upgraded updated migré migriert migrado migrato migrou version versions release versión versão versione versie wersję wersji версия
   версию версии sürüm sürümü إصدار संस्करण versi phiên bản verzi v1 v2 v3 v4 v5`,
);

function isNamed(word: string): boolean {
  return (
    (SYSTEMS.words.has(word) && !COMMON.words.has(word)) ||
    SYSTEM_NAMES.some((name) => word.startsWith(name) || word.includes(name))
  );
}

/** Grown together with what stands around them. */
const SYSTEM_NAMES = SYSTEMS.pieces.filter((piece) => piece.length > 2);
