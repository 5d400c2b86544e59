/** Caches the results of a pure function of a header or path: nearly all calls of an instance share the same few. */

/** Senders choose the keys, so the cache is limited and cleared when it is full. Long keys are not cached. */
const MAX_REMEMBERED = 256;
const MAX_QUESTION_CHARS = 256;

export function memoize<Result>(ask: (question: string) => Result): (question: string) => Result {
  const answers = new Map<string, Result>();
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
