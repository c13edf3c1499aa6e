import { highlight, languageOf } from './highlight.ts';
import { HtmlWriter } from './html-writer.ts';
import type { Rendered } from './rendered.ts';

/** Longer texts have no numbers on their lines, in UTF-16 units: each number is an element. */
const NUMBERED = 2 * 1024 * 1024;

/** A text as it is, each line with its number, a link to itself (`#L12`). The ending of the file's `path` tells its language. */
export function renderPlain(original: string, path: string): Rendered {
  const writer = new HtmlWriter(Infinity);
  const from = original.startsWith('\ufeff') ? 1 : 0;
  const text = original.slice(from);
  const language = languageOf(/\.(\w+)$/.exec(path)?.[1] ?? '');
  const isNumbered = text.length <= NUMBERED;
  writer.open('pre', {
    class: isNumbered ? 'lines' : 'text',
    tabindex: '0',
    role: 'group',
    'aria-label': 'Text',
  });
  if (isNumbered) writeLines(text, from, language, writer);
  else writer.textFrom(text, from);
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
    for (let at = from; at < to;) {
      const found = text.indexOf('\n', at);
      const end = found === -1 || found >= to ? to : found + 1;
      writer.textFrom(text.slice(at, end), offset + at);
      if (text[end - 1] === '\n' && end < text.length) begin();
      at = end;
    }
  });
}
