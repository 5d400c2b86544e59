import { closedWords, holds, isAmong, wordsOf } from './closed-words.ts';

/**
 * `Olvida lo anterior, empecemos de nuevo`: a user may take back what was said and begin anew. Nothing else may stand
 * in the text: who adds what is to be done now is judged by that.
 */
const TAKING_BACK = closedWords(
  `nevermind never mind nothing zero clear that drop topic idea plan draft table version attempt chapter one other another different chat talk conversation blank page slate ok okay sorry please no wait well forget ignore disregard scrap everything all that i what ve just said wrote above before earlier the
   let us lets s start begin over again anew afresh from scratch new fresh and we can could
   zurück auf anfang alles streich streichen wir entwurf bisherigen versuch plan idee andere anderen es blatt weißen klar nichts gut also nee ne egal entschuldigung sorry bitte moment vergiss vergessen vergisst vergessen wir machen einen neuen versuch ignoriere alles das was ich eben vorhin gerade gesagt geschrieben habe obige bisherige
   vorherige oben lass uns wir fangen fang an noch einmal mal nochmal neu von vorne vorn ganz beginnen starten
   bon tant pis brouillon idée autre une un page blanche efface effaçons nouveau nouvelle version laisse tomber depuis désolé oublie oublions oubliez tout ce qui qu que j ai dit écrit plus haut avant précède a été cela ça on nous recommence recommençons
   reprenons repartons à zéro depuis le début de d au
   borra borremos bórralo bueno nada otra idea con versión borrador página blanco olvídate olvidalo eso da igual perdón olvida olvide olvidemos olvídate ignora todo lo anterior de que dije antes te he dicho arriba y mejor empecemos empezamos vamos a
   olvídalo empezar comencemos otra vez nuevo cero desde el principio
   va bene niente cancella cancelliamo un altra idea con bozza pagina bianca lascia perdere scusa dimentica dimentichiamo ignora tutto quello quanto che ho detto scritto prima sopra precedente il e ricominciamo ripartiamo da
   capo zero dall inizio
   bom nada apaga apague apaguemos outra ideia com rascunho página branco tudo deixa pra lá desculpa esquece esqueça esqueçamos ignora ignore tudo o disse acima antes isso vamos começar recomeçar recomecemos comecemos de novo
   do zero e
   goed niets wis ander idee met versie nieuwe blanco pagina het maar laat maar en begin vergeet sorry vergeet negeer alles wat ik net hierboven bovenstaande vorige het zei gezegd heb laten we opnieuw beginnen overnieuw vanaf begin
   przepraszam dobrze nic skasuj inny pomysł wersja czystą kartę na dobra zera zapomnij zignoruj o tym wszystkim wszystko co było mówiłem mówiłam napisałem napisałam wcześniej wyżej powyżej zacznijmy
   zaczynamy od nowa początku jeszcze raz
   ладно неважно сотри другая идея версия чистого листа с это было об этом пожалуйста извини извините забудь забудьте забудем все всё что то я мы говорил говорила писал писала сказал сказала раньше выше до этого о обо
   давай давайте начнем начнём сначала заново с начала нуля
   вибач забудь забудьте все що я казав казала писав писала раніше вище попереднє про почнімо почнемо давай спочатку заново з нуля
   üzgünüm unut unutalım boş ver yazdıklarımı dediklerimi öncekileri öncekini yukarıdakileri yukarıdakini her şeyi söylediklerimi az önce baştan sıfırdan yeniden
   başlayalım tekrar hadi
   آسف انسى كل اللي قلته الأول انس ما سبق كل قلته قلت لك سابقا قبل لنبدأ دعنا نبدأ من جديد البداية
   माफ करो पहले वाली बात बातें सब जो मैंने कहा था कही थी भूल जाओ फिर से शुरू करते हैं शुरुआत नए सिरे
   saja sudahlah kita ulangi ulang maaf lupakan abaikan yang tadi semua di atas sebelumnya saya katakan ayo mari kita mulai dari awal lagi ulang
   xin lỗi quên hãy những gì ở trên đi tôi mình đã nói trước lúc nãy bắt đầu lại từ nhé chúng ta
   glöm förlåt allt det ovan som jag sa skrev vi börjar om från början låt oss
   glem alt det ovenfor jeg sagde sa skrev lad os la oss vi starter begynder begynner forfra på nytt fra starten
   zapomeň zapomeňte promiň na to předchozí vše co jsem psal říkal říkala výše začněme začneme znovu od začátku
   felejtsd el az előzőt mindent amit mondtam eddig kezdjük elölről újra
   uită ce am zis spus mai sus tot înainte hai să o luăm de la capăt începem din nou
   ξέχνα τα προηγούμενα όλα ό τι είπα πριν ας ξεκινήσουμε από την αρχή
   שכח תשכח ממה מה שאמרתי קודם הכל בוא נתחיל מחדש מהתחלה
   unohda edellinen kaikki mitä sanoin aiemmin aloitetaan alusta uudelleen`,
  `お願いします お願い いいです もういい 今 さっき 先ほど これまで 今まで の 話 こと 内容 は を 全部 すべて 忘れて ください 最初 から やり直しましょう やり直そう 始めましょう もう一度 もう 一度 すみません ごめん 上記
   算了 好 来 的话 重来 咱们 忘 了 忘掉 忘了 忽略 刚才 前面 之前 上面 说 的 内容 话 都 吧 我们 重新 开始 从头 从 头 再 来 请 抱歉 把 我
   아까 건 한 새로 새롭게 시작 하자 됐어 방금 하자 앞 앞의 위 위의 얘기 얘기는 이야기 이야기는 내용 내용은 지금까지 한 말 말은 전부 다 잊고 잊어 줘 주세요 처음 부터 처음부터 다시 시작하자 시작해요 시작합시다 시작하죠 죄송해요`,
);

/** One of these has to be there: a text that only drops what was said leaves open what comes instead. */
const BEGINNING = closedWords(
  `anfang листа recomeçamos ulang zera начнем versuch начнём start begin scratch fangen fang beginnen starten recommence recommençons reprenons repartons empecemos empezamos empezar comencemos
   ricominciamo ripartiamo começar recomeçar recomecemos comecemos beginnen overnieuw zacznijmy zaczynamy начнем начнём заново почнімо
   почнемо заново başlayalım لنبدأ نبدأ शुरू शुरुआत mulai bắt börjar starter begynder begynner začněme začneme kezdjük luăm începem
   ξεκινήσουμε נתחיל aloitetaan`,
  'もう一度最初 重来 重新来 やり直しましょう やり直そう 始めましょう 重新 开始 再来 다시 시작하자 시작해요 시작합시다 시작하죠',
);
const MOST_CHARACTERS = 120;

/** Whether all of the text takes back what was said before, to begin anew. */
export function beginsAnew(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const words = wordsOf(text);
  return (
    words !== null && words.every((word) => isAmong(TAKING_BACK, word)) && words.some((word) => holds(BEGINNING, word))
  );
}
