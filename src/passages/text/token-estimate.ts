// Approximates today's tokenizers: a token is four ASCII characters, fewer other letters, or one or two characters of an
// unspaced script. The estimate has no margin: callers add or subtract their own.
const ASCII = 1 / 4;
const OTHER = 1 / 2.5;
const UNSPACED_SCRIPT = 1 / 1.5;

/** Roughly how many tokens a model counts for `text`; a run of one character counts as three of it. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  let before = -1;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    run = unit === before ? run + 1 : 0;
    before = unit;
    if (run < 3) tokens += unit < 0x80 ? ASCII : unit < 0x0e00 ? OTHER : UNSPACED_SCRIPT;
  }
  return Math.ceil(tokens);
}
