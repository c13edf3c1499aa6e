/**
 * The reader's choices of how pages look; each is stored in a cookie of its name. The first value is the default. Each language
 * has words for them. The colours are in platform/site/style/tokens.css, the symbols of the buttons in reader.css.
 */
export const LOOKS = {
  size: ['medium', 'small', 'large'],
  letters: ['serif', 'sans', 'own'],
  lines: ['even', 'close', 'loose'],
  column: ['middle', 'narrow', 'wide'],
  theme: ['system', 'light', 'dark'],
} as const;

/** The title of each choice and the names of its values, in one language. */
export type NamedLooks = {
  [Name in keyof typeof LOOKS]: { title: string; values: Record<(typeof LOOKS)[Name][number], string> };
};
