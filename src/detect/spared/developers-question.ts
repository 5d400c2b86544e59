import { closedWords, holds, isAmong, wordsOf } from './closed-words.ts';

/**
 * `How do I print the system prompt in LangChain for debugging?`: who builds an application asks its library. The text
 * names a library, asks how its prompts are shown, and has no word for anything else: none for a model that is spoken
 * to, nor for what it was told.
 */
const LIBRARY = closedWords(
  `langchain langgraph llamaindex haystack ollama litellm vllm autogen crewai dspy gradio
   streamlit chainlit flowise langflow dify n8n openwebui webui promptfoo langfuse langsmith pydanticai smolagents
   openrouter lmstudio anythingllm librechat huggingface botpress sillytavern`,
);
const ASKING = closedWords(
  `override overriding change changing current modify edit replace set how do does can could i we to show me us print log logging logged output display dump see view inspect debug trace get where is are the a an full
   whole complete final exact actual rendered system prompt prompts message messages template in of with for from when using use by
   sent sends send is are passed llm api open studio lm ai debugging testing console terminal logs file python
   javascript typescript java please and my chain agent app application store stored stores change way best
   wo sehe finde steht einsehen logge loggt protokolliere überschreibe überschreiben ändere ändern aktuellen gebe gibt aus wie kann ich man in der dem den das die system prompt systemprompt anzeigen ausgeben sehen drucken loggen zum debuggen für debugging
   zeig mir zeige ausgibt bekomme vollständigen bitte und meinen meiner konsole
   où vois trouve trouver affiché consulter logs journaux changer modifier remplacer actuel dois comment afficher voir imprimer le les prompt prompts système dans pour déboguer débogage avec puis je peut on complet montre moi affiche
   la console
   dónde encuentro está consultar cambiar cambio veo usa mi mis agente de modificar actual cómo como puedo imprimir mostrar ver imprimo muestro el la del sistema en para depurar depuración con completo consola registro
   dove trovo vedo è consultare cambio cambiare modificare attuale vedo come posso stampare mostrare vedere stampo mostro il per il debug del di sistema in con completo
   onde encontro está consultar mudar altero alterar mudo atual imprimir imprimo mostrar exibir o do no na de para depurar depuração posso faço eu vejo ver completo
   hoe kan ik de systeemprompt tonen weergeven printen afdrukken voor het debuggen in bekijken
   jak mogę wyświetlić wypisać wydrukować zobaczyć prompt systemowy w do debugowania celu
   где найти находится увидеть изменить поменять увидеть текущий как мне вывести показать посмотреть распечатать системный промпт в для отладки полный можно
   як мені вивести показати подивитися системний промпт у в для налагодження
   da de sistem komutunu promptunu istemini nasıl yazdırabilirim görebilirim hata ayıklama için yazdırırım gösteririm
   كيف أطبع يمكنني طباعة عرض موجه النظام في لتصحيح الأخطاء
   में सिस्टम प्रॉम्प्ट कैसे प्रिंट करें डिबगिंग के लिए दिखाएं देखें को
   bagaimana cara menampilkan mencetak sistem di untuk melihat làm sao thế nào để in ra hiển thị hệ thống trong gỡ lỗi
   hur skriver jag ut visar systemprompten i för felsökning kan zobrazit vypsat systémový v pro ladění můžu`,
  `で の に を デバッグ ため システム プロンプト 表示 出力 する 変更 上書き 方法 教えて ください どう どうやって して し ます か 確認 したい です は したら いい どうすれば 完全な
   修改 更改 当前 怎么 如何 怎样 在 里 中 打印 显示 输出 查看 系统 提示词 提示 来 调试 用于 的 以便 请问 我 想 完整 为了 可以 吗 方便
   변경 바꾸 나요 에서 디버깅 을 를 위해 용 으로 시스템 프롬프트 출력 하는 방법 알려 줘 주세요 어떻게 해 하나요 하죠 보나요 표시 확인`,
);
const HOW = closedWords(
  `how where wo où dónde dove onde waar gdzie где де how wie comment como come hoe jak как як nasıl كيف कैसे bagaimana cara làm hur jak`,
  '方法 どうやって どうすれば 怎么 如何 怎样 방법 어떻게',
);
const MOST_CHARACTERS = 160;
/** A second clause could ask for the prompt itself. */
const ONE_CLAUSE = /^[^.,;:!?、，。；：！？\n]+[.!?？。]?$/u;

/** Whether all of the text asks how a library shows the prompts that an application sends. */
export function asksLibrary(text: string): boolean {
  if (text.length > MOST_CHARACTERS || !ONE_CLAUSE.test(text.trim())) return false;
  const words = wordsOf(text);
  return (
    words !== null &&
    words.every((word) => isAmong(ASKING, word) || isAmong(LIBRARY, word) || isAmong(GROWN_TOGETHER, word)) &&
    words.some((word) => isAmong(LIBRARY, word) || holds(LIBRARY_BESIDE, word)) &&
    asksHow(words) &&
    !ORDER.test(text.normalize('NFC'))
  );
}

/** The question word comes before what is shown: `Print the system prompt and show how` is an order. */
function asksHow(words: readonly string[]): boolean {
  const how = words.findIndex((word) => HOW.words.has(word));
  if (how < 0) return HOW.pieces.length > 0 && words.some((word) => HOW.pieces.some((piece) => word.includes(piece)));
  const isEnglish = ENGLISH_HOW.has(words[how]!);
  return (
    words.slice(0, how).every((word) => !PROMPT.test(word)) &&
    (isEnglish || !ORDER_BEHIND.test(words.slice(how).join(' '))) &&
    (!isEnglish || (ENGLISH_QUESTION.test(words.slice(how).join(' ')) && !words.includes('please', how)))
  );
}

/**
 * Behind a question word that is not English: verbs that give orders, in English or whichever language, and to whom it
 * shall be shown. `Wie in LangChain zeig mir ...` is no question.
 */
const ORDER_BEHIND =
  /\b(?:show|print|display|dump|log|view|inspect|get|see|give|please|me|us|moi|zeig|montre)\b|\b(?:zeige|logge|protokolliere|uberschreibe|andere|gebe|steht|sehe|finde|bekomme)\b(?! (?:ich|man|der|das)\b)/;
const PROMPT = /prompt|message|промпт/;
const ENGLISH_HOW: ReadonlySet<string> = new Set(['how', 'where']);
/** Where the question word may stand last. */
const ORDER =
  /(?:表示|出力|変更|上書き|確認)\s*して(?:ください|下さい)|(?:출력|표시|변경|확인)\s*(?:을|를)?\s*해\s*(?:줘|주세요)|请\s*(?:我\s*)?(?:打印|显示|输出|查看|修改|更改)|^(?:打印|显示|输出|查看)/u;

/** Nobody but who asks is in it, and there is one verb: no order is joined to it. */
const ENGLISH_QUESTION =
  /^(?:how|where) (?:to|do (?:i|we)|does|can (?:i|we)|could (?:i|we)|is|are) (?!.*\band (?:show|print|display|output|get|log|dump|see|view|open|edit|set|use)\b)/;

/** Without spaces the name is grown together with the words around it. */
const LIBRARY_BESIDE = closedWords('', [...LIBRARY.words].join(' '));
const GROWN_TOGETHER = closedWords('', [...ASKING.pieces, ...LIBRARY.words].join(' '));
