/**
 * The words attacks are made of in other languages that use Latin letters, written without accents. Leet, letters
 * without spaces and reversed words are recognized by them, as they are by the English words. No word is short: a short
 * one would cut English words in two.
 */
export const FOREIGN_WORDS: readonly string[] = `
ignora ignorar ignorad olvida olvidar olvidate desobedece descarta todas todos instrucciones anteriores previas indicaciones
ordenes reglas directrices restricciones revela revelar muestra mostrar contrasena secreto sistema mensaje oculto clave
ignore ignores oublie oublier oubliez ignorez toutes instructions consignes precedentes anterieures directives regles
revele reveler revelez montre montrez affiche affichez systeme cachees motdepasse
ignoriere ignorieren vergiss vergesse missachte alle vorherigen vorigen bisherigen fruheren anweisungen instruktionen vorgaben
regeln befehle richtlinien beschrankungen verrate zeige offenbare passwort kennwort geheimnis
desconsidere esqueca ignorem instrucoes diretrizes restricoes regras revele mostre exiba senha segredo
ignorate dimentica dimenticate trascura tutte istruzioni precedenti direttive regole restrizioni rivela mostra mostrami
parola segreta sistema
negeer vergeet voorgaande eerdere vorige instructies opdrachten aanwijzingen regels richtlijnen onthul toon wachtwoord geheim

zignoruj ignoruj zapomnij pomin wszystkie poprzednie wczesniejsze instrukcje polecenia zasady wytyczne ujawnij pokaz haslo
systemowy
yoksay unut onceki talimatlari talimatlar kurallari kurallar komutlari goster ifsa sifreyi sistem istemini
abaikan lupakan semua instruksi perintah sebelumnya aturan pedoman tampilkan ungkapkan rahasia sandi
`
  .split(/\s+/)
  .filter((word) => word.length >= 5);

/** Words long enough to be recognized by themselves when reversed or shifted. */
export const LONG_FOREIGN_WORDS = [...new Set(FOREIGN_WORDS.filter((word) => word.length >= 8))];
