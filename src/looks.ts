/**
 * The choices of readers by the name of their cookie. The first value of each is the default. The site's script reads them
 * too. A value's colours are in style/tokens.css, its button's mark in reader.css.
 */
export const LOOKS = {
  size: ['medium', 'small', 'large'],
  letters: ['serif', 'sans', 'own'],
  lines: ['even', 'close', 'loose'],
  column: ['middle', 'narrow', 'wide'],
  theme: ['system', 'light', 'dark'],
} as const;
