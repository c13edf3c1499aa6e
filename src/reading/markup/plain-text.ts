import { HtmlWriter } from './html-writer.ts';
import type { Rendered } from './rendered.ts';
import { bookText as ENGLISH } from '../../words/en/book-text.ts';
import type { Words } from '../../words/words.ts';
import type { HLJSApi } from 'highlight.js';

/**
 * Shows a text without rendering it. Each line has its number, which is a link to the line (`#L12`). The ending of
 * `path` tells the programming language.
 */
export function renderPlain(original: string, path: string, words: Words['bookText'] = ENGLISH): Rendered {
  const writer = new HtmlWriter(Infinity);
  const from = original.startsWith('\ufeff') ? 1 : 0;
  const text = original.slice(from);
  const language = languageOf(/\.(\w+)$/.exec(path)?.[1] ?? '');
  writer.open('pre', { class: 'lines', tabindex: '0', role: 'group', 'aria-label': words.text });
  writeLines(text, from, language, writer);
  writer.close();
  return { ...writer.finish(), headings: [] };
}

function writeLines(text: string, offset: number, language: string | null, writer: HtmlWriter): void {
  let line = 0;
  const begin = (): void => {
    const id = `L${++line}`;
    writer.open('a', { id, href: `#${id}` });
    writer.text(String(line));
    writer.close();
  };
  begin();
  highlight(text, language, writer, (from, to) => {
    let at = from;
    for (const shown of text.slice(from, to).split(/(?<=\n)/)) {
      writer.textFrom(shown, offset + at);
      at += shown.length;
      if (shown.endsWith('\n') && at < text.length) begin();
    }
  });
}

/** The maximum length of code that is highlighted, in characters: highlighting takes up to three milliseconds a kilobyte. */
const LONGEST_HIGHLIGHTED = 50_000;

const MOST_HIGHLIGHTED = 100_000;

/** Matches the pieces of the highlighter's output: spans with classes, and the escaped text in them. */
const PIECE = /<span class="([\w -]*)">|(<\/span>)|&(?:amp|lt|gt|quot|#x27);|([^<&]+)/g;

export function languageOf(info: string): string | null {
  const name = /^[\w+#.-]+/.exec(info.trim())?.[0].toLowerCase() ?? '';
  return highlighter().getLanguage(name) === undefined ? null : name;
}

/** Highlights `code`: writes a span for each part that has a class, and calls `write` for each stretch of text, in order. */
export function highlight(
  code: string,
  language: string | null,
  writer: HtmlWriter,
  write: (from: number, to: number) => void,
): void {
  if (
    language === null ||
    code.length > LONGEST_HIGHLIGHTED ||
    writer.highlighted + code.length > MOST_HIGHLIGHTED
  )
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

/** Loads the highlighter when the first code is shown: its languages take 5 ms, and many chapters have no code. */
const highlighter = (): HLJSApi => (loaded ??= require('highlight.js/lib/common') as HLJSApi);
