import { closedWords, isAmong, wordsOf } from './closed-words.ts';

/**
 * `Don't mention that you're an AI in the reply to this e-mail`: who has a letter written signs it. In a letter it is
 * no persona; so the letter has to be named, and there is no word for anything else.
 */
const WORDS = closedWords(
  `leave out draft wrote make sure sound sounds read reads so does should would like refer yourself person first if me own human wrote condolence essay please and do don t not dont never mention say write tell state add claim that you re are were an a ai assistant bot chatbot language model
   as machine in the my this that reply replies answer response email e mail mails letter message post cover text to for of it is was just simply sign
   with my name i written by generated anywhere me them her him customer client boss teacher colleague landlord
   antworte verfasse kunden vermieter chef kollegin ohne zu erwähnen keine bewerbung kündigung bitte erwähne erwähn schreib schreibe sag sage nicht nirgends dass du eine ki bist ein bot sprachmodell assistent in der die das dem
   antwort mail e mail nachricht brief anschreiben auf diese dieser diesen einfach unterschreib unterschreibe mit meinem namen und
   rédige rédiger ma mes nom demande motivation réclamation propriétaire patron indiquer mentionner réponds client place sans dire que tu es ce ne n écris mentionne dis précise pas que tu es une ia un assistant dans la réponse le à ce cet cette courriel mail message lettre s il
   te plaît plait signe simplement mon nom de motivation et
   escribe redacta nombre casero jefe cliente mencionar responde como si fueras yo sin decir que eres no menciones digas escribas que eres una ia un asistente en la respuesta a este correo esta carta mensaje por favor firma con mi nombre y
   el
   scrivi rispondi nome mio cliente capo menzionare senza a non dire scrivere menzionare che sei un ia assistente nella risposta a questa mail email lettera per favore firma con il mio nome e
   não digas diga mencione menciones que és você é uma ia um assistente na resposta a este email carta mensagem por favor assine
   vermeld zeg schrijf niet dat je een ai bent in het antwoord op deze mail brief`,
);
const MACHINE = /\b(?:ai|ki|ia|bot|chatbot|assistant|assistent|asistente|assistente|model|sprachmodell|machine)\b/;
const LETTER = /\b(?:mail|email|letter|brief|anschreiben|courriel|lettre|correo|carta|lettera)\b/;
/** What the model shall be, and not what the letter shall leave out. */
const PERSONA =
  /\byou (?:are|re) (?!an? (?:ai|assistant|bot|chatbot|language|machine|model)\b)|\b(?:not|no) an? (?:ai|assistant|bot|chatbot|language|machine|model)\b/;
/** Something is left out of the letter. */
const LEFT_OUT = /\b(?:not|t|dont|never|leave out|nicht|keine|nirgends|ohne|ne|n|sans|no|sin|non|senza|nao|sem|niet)\b/;
/** What was said to the model would be the first message, or the text of it. */
const TOLD =
  /\bfirst (?!person\b)|\b(?:tell|say|state|write|claim|read|reads) (?:me|the)\b(?! (?:an? |my )?(?:cover |e )?(?:letter|mail|email|post|customer|client)\b)/;
const MOST_CHARACTERS = 160;

/** Whether all of the text asks that a letter does not say by what it was written. */
export function signsLetter(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const words = wordsOf(text);
  if (words === null || !words.every((word) => isAmong(WORDS, word))) return false;
  const joined = words.join(' ');
  return (
    MACHINE.test(joined) && LETTER.test(joined) && LEFT_OUT.test(joined) && !PERSONA.test(joined) && !TOLD.test(joined)
  );
}
