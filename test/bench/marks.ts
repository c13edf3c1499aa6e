// Whether the marks of passages and citations hold their words and no others; the table is in marks.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { findMarks, type Rendered, type TextSlice } from '../../src/reading/markup/rendered.ts';
import { putMarks } from '../reading/markup/put-marks.ts';
import { renderMarkdown } from '../../src/reading/markup/markdown.ts';
import { renderPlain } from '../../src/reading/markup/plain-text.ts';
import { bodyStart } from '../../src/reading/markup/parser.ts';
import { sentencesOf } from '../../src/reading/sentence.rule.ts';
import { splitPassages } from '../../src/asking/split.rule.ts';
import { shownBy, wordsOf } from '../reading/markup/oracle.ts';
import { readQuestions } from './qa-set.ts';

const links = { href: (target: string) => target, image: (target: string) => target };
const MARKDOWN = /\.(?:md|markdown)$/i;

type Counts = { slices: number; exact: number; framed: number; wrong: number };
type Text = {
  readonly source: string;
  readonly rendered: Rendered;
  readonly words: (slice: TextSlice) => string;
};

const sets = process.argv.slice(2);
if (sets.length === 0) {
  console.error('Usage: bun run bench:marks SET_DIR…, each with content/books and questions*.jsonl');
  process.exit(2);
}
const total = { passages: noCounts(), sentences: noCounts(), 'gold spans': noCounts() };
for (const set of sets) measure(set);
for (const [kind, { slices, exact, framed, wrong }] of Object.entries(total))
  console.log(
    `| ${kind} | ${slices} | ${exact} | ${framed} | ${wrong} | ${((exact / slices) * 100).toFixed(2)} % |`,
  );

function noCounts(): Counts {
  return { slices: 0, exact: 0, framed: 0, wrong: 0 };
}

function measure(set: string): void {
  const books = join(set, 'content', 'books');
  const texts = new Map<string, Text>();
  for (const path of readdirSync(books, { recursive: true }) as string[]) {
    const text = path.endsWith('item.yaml') || !/\.\w+$/.test(path) ? null : readText(join(books, path));
    if (text === null) continue;
    texts.set(path, text);
    for (const passage of splitPassages(text.source, path)) {
      count(total.passages, text, passage);
      for (const sentence of sentencesOf(text.source, passage.start, passage.end))
        count(total.sentences, text, sentence);
    }
  }
  for (const file of readdirSync(set).filter((name) => name.endsWith('.jsonl')))
    for (const { book, gold } of readQuestions(join(set, file), null))
      for (const { path, ...span } of gold) count(total['gold spans'], texts.get(`${book}/${path}`)!, span);
}

function readText(file: string): Text | null {
  const source = new TextDecoder('utf-8', { ignoreBOM: true }).decode(readFileSync(file));
  if (!MARKDOWN.test(file)) {
    const words = ({ start, end }: TextSlice) => source.slice(start, end).replace(/\s+/g, '');
    return { source, rendered: renderPlain(source, file), words };
  }
  const rendered = renderMarkdown(source, { links });
  const shown = shownBy(source, bodyStart(source));
  return rendered && { source, rendered, words: ({ start, end }) => wordsOf(shown, source, start, end) };
}

function count(counts: Counts, { rendered, words }: Text, slice: TextSlice): void {
  const wanted = words(slice);
  if (wanted === '') return;
  counts.slices++;
  const marking = findMarks(rendered, slice);
  if (marking?.kind !== 'marks') counts.framed++;
  else if (markedIn(putMarks(rendered.html, marking)) === wanted) counts.exact++;
  else counts.wrong++;
}

function markedIn(html: string): string {
  let [open, text] = [0, ''];
  const parser = new Parser({
    onopentag: (name) => void (open += name === 'mark' ? 1 : 0),
    onclosetag: (name) => void (open -= name === 'mark' ? 1 : 0),
    ontext: (part) => void (text += open > 0 ? part : ''),
  });
  parser.end(html);
  return text.replace(/\s+/g, '');
}
