import type { HLJSApi } from 'highlight.js';
import type { HtmlWriter } from './html-writer.ts';

/** Longer code is shown plain, in characters: a highlighter takes up to three milliseconds a kilobyte. */
const LONGEST = 50_000;

/** Of a whole text as much is highlighted, in characters. */
const MOST = 100_000;

/** A highlighter's answer is spans with classes around escaped text. */
const PIECE = /<span class="([\w -]*)">|(<\/span>)|&(?:amp|lt|gt|quot|#x27);|([^<&]+)/g;

/** The language that an info string or a file's ending names, as the highlighter knows it, else null. `rust,ignore` is Rust. */
export function languageOf(info: string): string | null {
  const name = /^[\w+#.-]+/.exec(info.trim())?.[0].toLowerCase() ?? '';
  return highlighter().getLanguage(name) === undefined ? null : name;
}

/** Writes spans around the parts of `code`, and calls `write` for the text of each stretch of it, in order. */
export function highlight(
  code: string,
  language: string | null,
  writer: HtmlWriter,
  write: (from: number, to: number) => void,
): void {
  if (language === null || code.length > LONGEST || writer.highlighted + code.length > MOST)
    return write(0, code.length);
  writer.highlighted += code.length;
  const { value } = highlighter().highlight(code, { language, ignoreIllegals: true });
  let at = 0;
  for (const [, classes, end, plain] of value.matchAll(PIECE)) {
    if (classes !== undefined) writer.open('span', { class: classes });
    else if (end !== undefined) writer.close();
    else {
      const from = at;
      at += plain?.length ?? 1;
      write(from, at);
    }
  }
}

let loaded: HLJSApi | null = null;

/** Loaded by the first code: its languages take 5 ms, and many a chapter has none. */
function highlighter(): HLJSApi {
  return (loaded ??= require('highlight.js/lib/common') as HLJSApi);
}
