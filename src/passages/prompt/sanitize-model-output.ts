// The beginnings of tags, links, images and link definitions (CommonMark 0.31 §6.3-6.6, §4.6-4.7).
const ACTIVE = /<(?=[A-Za-z/!?])|\](?=[([:])|!(?=\[)/g;
/** Characters that the next one may make active. */
const PENDING = /[<\]!]$/;
/** Characters that would turn the bracket before them into a link. */
const LINKING = /^[([:]/;
// Control characters except tab and line feed, directional overrides and invisible tags, which steer terminals or hide text.
const STEERING = /(?![\t\n])[\p{Cc}\u200b\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Makes a model's text inert: it puts a space after each `<`, `]` and `!` that would begin a tag, a link or an image, and
 * drops control characters. `push` holds back at most one character, which `flush` returns; `mark` does too, and announces
 * that our own marker `[n]` comes next.
 */
export function createSanitizer() {
  let held = '';
  let isMarked = false;
  const flush = (): string => {
    const last = held;
    held = '';
    return last;
  };
  return {
    push(text: string): string {
      const shown = held + text.replace(STEERING, '');
      if (shown === '') return '';
      const apart = isMarked && LINKING.test(shown) ? ' ' : '';
      isMarked = false;
      const all = apart + shown.replace(ACTIVE, '$& ');
      held = PENDING.exec(all)?.[0] ?? '';
      return all.slice(0, all.length - held.length);
    },
    flush,
    mark(): string {
      isMarked = true;
      return flush();
    },
  };
}
