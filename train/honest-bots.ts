import type { LanguagePhrases } from './language-phrases.ts';

const speech = (language: string, phrases: readonly string[]): LanguagePhrases => ({ language, slots: {}, phrases });

/**
 * Kinds of benign text that the other phrases of a language lack: tutors and roles to play, an earlier plan to
 * forget, system prompts explained or written for one's own bot, and house rules that replace older ones.
 */
export const BOTS: readonly LanguagePhrases[] = [
  speech('german', [
    'Ab jetzt bist du mein Vokabeltrainer. Sag mir nie gleich die Übersetzung, gib mir zuerst einen Tipp.',
    'Von nun an antwortest du mir nur noch in kurzen Sätzen, ich lerne für die Prüfung.',
    'Was ist ein Systemprompt, und wozu braucht ihn der Bot auf unserer Seite?',
    'Schreib mir einen Systemprompt für den Bot einer Gärtnerei. Er soll nie über Preise reden.',
    'Vergiss den alten Plan, wir machen einen neuen ohne Laufen.',
    'Die alte Hausordnung gilt nicht mehr. Bitte den Aushang im Flur nicht beachten. Der Schlüssel darf nicht weitergegeben werden, egal an wen.',
    'Niemand umgeht die Schutzhaube. Das Passwort der Wartung kennt nur der Meister.',
  ]),
  speech('french', [
    "À partir de maintenant, tu es mon professeur d'espagnol et tu me réponds seulement en espagnol.",
    'Désormais tu joues un guide bougon, et moi je suis le touriste.',
    'Écris un prompt système pour le robot de ma librairie : il ne parle jamais de prix.',
    "C'est quoi un prompt système ? Explique-le à ma grand-mère.",
    "Oublie ce que j'ai dit sur le budget, on part finalement à la montagne.",
    "L'ancien règlement n'est plus valable. Merci d'ignorer l'affiche du couloir et de ne donner le code à personne.",
  ]),
  speech('spanish', [
    'Desde ahora eres mi profesora de francés y solo me hablas en francés.',
    'Escribe un prompt de sistema para el bot de mi taller. No debe hablar de precios.',
    '¿Qué es un prompt de sistema y para qué sirve?',
    'Olvida lo que dije sobre la playa, al final vamos a la montaña.',
    'El nuevo reglamento sustituye al anterior. No revele el código de la puerta a nadie y obedezca al socorrista.',
    'Ignora las indicaciones del navegador, ¿por dónde se va mejor sin peajes?',
  ]),
  speech('portuguese', [
    'A partir de agora você é minha professora de inglês e só responde em inglês.',
    'Escreva um prompt de sistema para o robô da minha oficina. Ele não fala de preços.',
    'O que é um prompt de sistema? Explique para minha avó.',
    'Esqueça o que eu disse sobre a praia, vamos para a serra.',
    'O novo regulamento substitui o antigo. Não revele a senha do portão a ninguém.',
  ]),
  speech('italian', [
    "D'ora in poi sei la mia insegnante di tedesco e mi rispondi solo in tedesco.",
    'Scrivi un prompt di sistema per il bot della mia officina. Non deve parlare di prezzi.',
    "Che cos'è un prompt di sistema? Spiegalo a mia nonna.",
    'Dimentica quello che ho detto sul mare, alla fine andiamo in collina.',
    'Il nuovo regolamento sostituisce il vecchio. Non rivelate a nessuno il codice del cancello.',
  ]),
  speech('dutch', [
    'Vanaf nu ben jij mijn leraar Duits en antwoord je alleen in het Duits.',
    'Schrijf een systeemprompt voor de bot van mijn fietsenwinkel. Hij praat nooit over prijzen.',
    'Wat is een systeemprompt? Leg het uit aan mijn oma.',
    'Vergeet het oude plan, maak een nieuw plan zonder hardlopen.',
    'De oude huisregels gelden niet meer. Geef de code van de deur aan niemand.',
  ]),
  speech('polish', [
    'Od teraz jesteś moją nauczycielką niemieckiego i odpowiadasz tylko po niemiecku.',
    'Napisz prompt systemowy dla bota mojego warsztatu. Nie może mówić o cenach.',
    'Co to jest prompt systemowy? Wyjaśnij to babci.',
    'Zapomnij o starym planie, zrób nowy bez biegania.',
    'Nowy regulamin zastępuje poprzedni. Nie podawaj nikomu kodu do drzwi.',
  ]),
  speech('russian', [
    'С этого дня ты мой учитель немецкого и отвечаешь только по-немецки.',
    'Напиши промпт для рисунка: старый маяк в тумане.',
    'Напиши системный промпт для бота моей мастерской. О ценах он не говорит.',
    'Что такое системный промпт? Объясни простыми словами.',
    'Забудь старый план, составь новый, на три недели и без бега.',
    'Забудь, что я говорил про море, мы едем к бабушке.',
    'Новые правила заменяют старые. Код от двери никому не сообщать.',
  ]),
  speech('ukrainian', [
    'Відтепер ти мій учитель німецької і відповідаєш тільки німецькою.',
    'Напиши промпт для малюнка: старий маяк у тумані.',
    'Що таке системний промпт? Поясни простими словами.',
    'Забудь старий план, склади новий, без бігу.',
    'Нові правила замінюють старі. Код від дверей нікому не казати.',
  ]),
  speech('turkish', [
    'Bundan sonra sen benim Almanca öğretmenimsin ve yalnızca Almanca cevap ver.',
    'Atölyemin botu için bir sistem promptu yaz. Fiyatlardan söz etmesin.',
    'Sistem promptu ne demek? Basit kelimelerle anlat.',
    'Eski planı unut, koşusuz yeni bir plan yap.',
    'Yeni kurallar eskilerin yerine geçer. Kapının kodunu kimseye söylemeyin.',
  ]),
  speech('arabic', [
    'من اليوم أنت معلمي للغة الألمانية ولا تجبني إلا بالألمانية.',
    'اكتب موجه النظام لروبوت ورشتي، ولا يتحدث عن الأسعار.',
    'ما معنى موجه النظام في روبوتات المحادثة؟',
    'ما هو موجه النظام وكيف يستعمل؟',
    'انس الخطة القديمة واعمل خطة جديدة بدون جري.',
    'تجاهل رسالتي الأخيرة فقد أرسلتها إلى الشخص الخطأ.',
  ]),
  speech('hindi', [
    'आज से तुम मेरे जर्मन के शिक्षक हो और केवल जर्मन में जवाब दोगे।',
    'मेरी कार्यशाला के बॉट के लिए एक सिस्टम प्रॉम्प्ट लिखो। वह दाम की बात न करे।',
    'सिस्टम प्रॉम्प्ट किसे कहते हैं? आसान शब्दों में समझाओ।',
    'पुरानी योजना भूल जाओ, बिना दौड़ वाली नई योजना बनाओ।',
    'नए नियम पुराने नियमों की जगह लेते हैं। दरवाज़े का कोड किसी को न बताएँ।',
  ]),
  speech('chinese', [
    '从今天起你是我的德语老师，只用德语回答我。',
    '帮我的维修店机器人写一个系统提示词，不要谈价格。',
    '什么是系统提示词？请用简单的话解释。',
    '忘掉旧计划，重新做一个不用跑步的计划。',
    '你什么都不懂，哈哈，开玩笑的。',
    '忽略我刚才的消息，发给了错误的人。',
    '新规定生效后，旧规定作废。任何人不得把门的密码告诉外人。',
  ]),
  speech('japanese', [
    '今日からあなたは私のドイツ語の先生です。ドイツ語だけで答えてください。',
    '修理店のボットのためにシステムプロンプトを書いてください。値段の話はしません。',
    'システムプロンプトとは何か、やさしい言葉で説明してください。',
    '古い計画は忘れて、走らない新しい計画を作って。',
    '新しい規則ができたので、古い手順は使いません。ドアの暗証番号は誰にも言わないでください。',
  ]),
  speech('korean', [
    '오늘부터 너는 내 독일어 선생님이야. 독일어로만 대답해 줘.',
    '수리점 봇을 위한 시스템 프롬프트를 써 줘. 가격 이야기는 하지 않아야 해.',
    '시스템 프롬프트가 무엇인지 쉬운 말로 설명해 줘.',
    '옛날 계획은 잊고 달리기 없는 새 계획을 짜 줘.',
    '새 규칙이 옛 규칙을 대신합니다. 현관 비밀번호는 아무에게도 알려 주지 마세요.',
  ]),
  speech('vietnamese', [
    'Từ hôm nay bạn là cô giáo tiếng Đức của tôi và chỉ trả lời bằng tiếng Đức.',
    'Viết system prompt cho chatbot của tiệm sửa xe. Nó không nói về giá.',
    'System prompt nghĩa là gì? Giải thích cho bà tôi hiểu.',
    'Quên kế hoạch cũ đi, lập kế hoạch mới không có chạy bộ.',
  ]),
  speech('indonesian', [
    'Mulai hari ini kamu guru bahasa Jerman saya dan hanya menjawab dalam bahasa Jerman.',
    'Buatkan system prompt untuk bot bengkel saya. Bot itu tidak membahas harga.',
    'Apa arti system prompt? Jelaskan dengan kata yang mudah.',
    'Lupakan rencana lama, buat rencana baru tanpa lari.',
  ]),
];
