/**
 * The program for which something is a problem: 'spec' is any that follows the Agent Skills specification, 'claude.ai' is the
 * upload there, 'claude-code' is Claude Code, 'well-known' is the `skills` program (which installs from well-known addresses),
 * 'mcp' is any client of skills over MCP.
 */
export type ProblemClient = 'spec' | 'claude.ai' | 'claude-code' | 'well-known' | 'mcp';

/**
 * One thing wrong with an item. `code` is kebab-case and stable, `path` is inside the item's folder ('' for the item itself),
 * `sentence` quotes names, `remedy` says what to do; neither ends with a full stop. `client` is null if the rule is the stall's
 * own. An item with an error is not published in this state.
 */
export type Problem = {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly path: string;
  readonly sentence: string;
  readonly remedy: string;
  readonly client: ProblemClient | null;
  /** The slugs of other items in `sentence`, and the sentence for somebody who may not see these items. */
  readonly others?: { readonly slugs: readonly string[]; readonly untold: string };
};

export const error = (code: string, path: string, sentence: string, remedy: string): Problem => ({
  code,
  severity: 'error',
  path,
  sentence,
  remedy,
  client: null,
});

export const warning = (
  code: string,
  path: string,
  sentence: string,
  remedy: string,
  client: ProblemClient | null = null,
): Problem => ({ code, severity: 'warning', path, sentence, remedy, client });

export const naming = (slugs: readonly string[], untold: string, problem: Problem): Problem => ({
  ...problem,
  others: { slugs, untold },
});

/** Returns the problems as told to somebody who may see only those other items that `opens` accepts. */
export const tellProblems = (
  problems: readonly Problem[],
  opens: (slug: string) => boolean,
): readonly Problem[] =>
  problems.map(({ others, ...problem }) =>
    others === undefined || others.slugs.every(opens)
      ? problem
      : { ...problem, sentence: others.untold, remedy: 'Use another' },
  );

/** Quotes a publisher's text for a sentence: at most 80 characters, control characters escaped. */
export function quote(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return printableJson(short);
}

/** Writes JSON in one line that is safe to print on a terminal: invisible and directional controls are escaped. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu, escape);

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Returns "Did you mean …" with the known word that is fewest edits away, at most two and fewer than half its letters, ignoring
 * case and punctuation. Returns `otherwise` if there is none, or if the word is known or over 40 long.
 */
export function didYouMean(word: string, known: readonly string[], otherwise: string): string {
  if (word.length > 40 || known.includes(word)) return otherwise;
  const distances = known.map((candidate) => editDistance(plain(word), plain(candidate)));
  const best = Math.min(...distances);
  const candidate = known[distances.indexOf(best)];
  return candidate !== undefined && best <= 2 && best < plain(candidate).length / 2
    ? `Did you mean "${candidate}"?`
    : otherwise;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
