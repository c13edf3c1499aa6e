/**
 * One thing wrong with an item. `code` is kebab-case and stable, `path` is inside the item folder
 * ('' for the item itself), `message` quotes what it names, `remedy` says what to do; neither ends with a full stop.
 */
export type Problem = {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
};

/** Makes a problem that keeps the item from being served. */
export const error = (code: string, path: string, message: string, remedy: string): Problem => ({
  severity: 'error',
  code,
  path,
  message,
  remedy,
});

/** Makes a problem that is told and changes nothing. */
export const warning = (code: string, path: string, message: string, remedy: string): Problem => ({
  ...error(code, path, message, remedy),
  severity: 'warning',
});

/** Quotes a publisher's text for a sentence: at most 80 characters, and nothing a terminal would obey. */
export function quote(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short).replace(/[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu, escape);
}

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
