// Characters a reader cannot see, and control characters except tab and line feed. Joiners and variation selectors stay,
// since Persian, Indian scripts and emoji need them.
const INVISIBLE =
  /(?![\t\n\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** Drops invisible and control characters from streamed text, even if their two halves arrive apart. */
export function createTextCleaner() {
  let half = '';
  return {
    push(text: string): string {
      const whole = half + text;
      half = HIGH_SURROGATE.exec(whole)?.[0] ?? '';
      return clean(whole.slice(0, whole.length - half.length));
    },
    end(): string {
      const rest = clean(half);
      half = '';
      return rest;
    },
  };
}

function clean(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, '');
}
