/**
 * The choices of readers by the name of their cookie. The first value of each is the default. The site and its script read
 * them, and the words name each. A value's colours are in http/site/style/tokens.css, its button's mark in reader.css.
 */
export const LOOKS = {
  size: ['medium', 'small', 'large'],
  letters: ['serif', 'sans', 'own'],
  lines: ['even', 'close', 'loose'],
  column: ['middle', 'narrow', 'wide'],
  theme: ['system', 'light', 'dark'],
} as const;

/** A title for each choice, and a name for each of its values. */
export type NamedLooks = {
  [Name in keyof typeof LOOKS]: { title: string; values: Record<(typeof LOOKS)[Name][number], string> };
};
