/** The answers of a pure function for the few headers and paths that nearly all calls of an instance share. */

/** Senders choose the keys, so the store is emptied when it is full. */
const MAX_REMEMBERED = 256;
const MAX_QUESTION_CHARS = 256;

export function remember<Answer>(ask: (question: string) => Answer): (question: string) => Answer {
  const answers = new Map<string, Answer>();
  return (question) => {
    if (question.length > MAX_QUESTION_CHARS) return ask(question);
    const known = answers.get(question);
    if (known !== undefined) return known;
    if (answers.size >= MAX_REMEMBERED) answers.clear();
    const answer = ask(question);
    answers.set(question, answer);
    return answer;
  };
}
