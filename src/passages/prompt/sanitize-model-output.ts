// What makes Markdown or HTML act: a tag, a link's or image's bracket, a definition (CommonMark 0.31 §6.3-6.6, §4.6-4.7).
const ACTIVE = /<(?=[A-Za-z/!?])|\](?=[([:])|!(?=\[)/g;
/** What turns active by what comes next. */
const PENDING = /[<\]!]$/;
/** What would make a link of the bracket before it. */
const LINKING = /^[([:]/;
// Control characters but tab and line feed, directional overrides, invisible tags: nothing steers a terminal or hides.
const STEERING = /(?![\t\n])[\p{Cc}\u200b\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Keeps a model's text from acting where it is shown: a space after `<`, `]` and `!` that would begin a tag, a link or an
 * image, and no control characters. `push` holds back at most one character, which `flush` gives; `mark` gives it too, and
 * says that a marker `[n]` of ours stands before what comes next.
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
