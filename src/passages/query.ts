const MOST_TERMS = 64;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const STOP = new Set(
  (
    'a about after again all also am an and any are aren as at be because been before being both but by can could ' +
    'couldn d did didn do does doesn doing don done during each either else ever every few for from further get got ' +
    'had hadn has hasn have haven having he her here hers herself him himself his how however i if in into is isn it ' +
    'its itself just let ll m many may me might mine more most much must my myself neither no nor not now of off on ' +
    'once one only or other our ours out over own please re s same shall she should shouldn so some such t tell than ' +
    'that the their theirs them themselves then there these they this those though through to too under until up upon ' +
    'us ve very was wasn we were weren what whatever when where whether which while who whom whose why will with ' +
    'would wouldn yes yet you your yours'
  ).split(' '),
);

/**
 * The words of a question that are worth searching: NFKC, lower case, without English stop words, each once, the first
 * 64. What is neither letter nor number (operators, NUL, control characters) only separates words.
 */
export function queryTerms(question: string): readonly string[] {
  const terms = new Set<string>();
  for (const [word] of question.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (!STOP.has(word)) terms.add(word);
    if (terms.size === MOST_TERMS) break;
  }
  return [...terms];
}

/** An FTS5 expression that any of `terms` satisfies (sqlite.org/fts5.html §3), or null when there is none. */
export function matchExpression(terms: readonly string[]): string | null {
  if (terms.length === 0) return null;
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');
}
