import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorAt, findAnchors } from '../../src/reading/anchor.rule.ts';
import { createRandom } from '../bench/random.ts';

/**
 * A sentence of a book. One that was changed or repeated has the `id` of the sentence that it comes from, unless it is so
 * short that it says nothing of where it comes from; `isOwn` is the sentence itself, untouched.
 */
type Sentence = { readonly id: number; readonly words: string; readonly isOwn: boolean };
/** Shorter sentences are no longer the same when they are repeated. */
const LONG = 24;
type Chapter = { readonly path: string; readonly paragraphs: Sentence[][] };

const BOOKS = join(import.meta.dir, '../../content/books');
const SHORT = ['Yes.', 'That is all.', 'See below.', 'It depends.', 'No other does so.'];
const random = createRandom(32);
const below = (most: number): number => Math.floor(random() * most);
const oneOf = <T>(some: readonly T[]): T => some[below(some.length)]!;
let made = 0;

const sentence = (words: string): Sentence => ({ id: made++, words, isOwn: true });
const repeated = ({ id, words }: Sentence): Sentence =>
  words.length < LONG ? sentence(words) : { id, words, isOwn: false };

/** The chapters of a book, with sentences that stand in many places. */
function readBook(slug: string): Chapter[] {
  return readdirSync(join(BOOKS, slug))
    .filter((name) => name.endsWith('.md'))
    .map((path) => ({
      path,
      paragraphs: readFileSync(join(BOOKS, slug, path), 'utf8')
        .trim()
        .split(/\n\n+/)
        .map((paragraph) => {
          const sentences = paragraph.split(/(?<=[.!?])\s+/).map(sentence);
          if (below(8) === 0) sentences.splice(below(sentences.length + 1), 0, sentence(oneOf(SHORT)));
          return sentences;
        }),
    }));
}

/** One edit as authors make them. A sentence whose words change is another one. */
function edit(book: readonly Chapter[]): void {
  const chapter = oneOf(book);
  const at = below(chapter.paragraphs.length);
  const paragraph = chapter.paragraphs[at]!;
  const n = below(paragraph.length);
  const chosen = paragraph[n]!;
  const words = chosen.words.split(' ');
  const changed = (to: readonly string[]): Sentence => ({ ...chosen, words: to.join(' '), isOwn: false });
  const acts = [
    // Words changed, swapped, taken out.
    () => paragraph.splice(n, 1, changed(words.with(below(words.length), 'altogether'))),
    () => paragraph.splice(n, 1, changed([...words.toReversed(), 'so'])),
    () => paragraph.splice(n, 1),
    // Sentences written, and repeated from elsewhere.
    () => paragraph.splice(n, 0, sentence(`A ${made}th remark was added here.`)),
    () => paragraph.splice(n, 0, sentence(oneOf(SHORT))),
    () => paragraph.splice(n, 0, repeated(oneOf(oneOf(oneOf(book).paragraphs)))),
    // Paragraphs moved within a chapter and to another, parted and joined.
    () => {
      chapter.paragraphs.splice(at, 1);
      chapter.paragraphs.splice(below(chapter.paragraphs.length + 1), 0, paragraph);
    },
    () => {
      chapter.paragraphs.splice(at, 1);
      const other = oneOf(book).paragraphs;
      other.splice(below(other.length + 1), 0, paragraph);
    },
    () => chapter.paragraphs.splice(at, 1, paragraph.slice(0, n), paragraph.slice(n)),
    () => chapter.paragraphs.splice(at, 2, [...paragraph, ...(chapter.paragraphs[at + 1] ?? [])]),
    // A section renamed.
    () => {
      const heading = chapter.paragraphs.findIndex(([first], m) => m >= at && first?.words.startsWith('#'));
      if (heading !== -1) chapter.paragraphs[heading] = [sentence(`## What the ${made}th section says`)];
    },
  ];
  oneOf(acts)();
  for (const { paragraphs } of book)
    for (let m = paragraphs.length - 1; m >= 0; m--) if (paragraphs[m]!.length === 0) paragraphs.splice(m, 1);
}

/** The texts of an edition, and where its sentences stand. */
function write(book: readonly Chapter[]) {
  const texts = new Map<string, string>();
  const places: (Sentence & { readonly path: string; readonly start: number; readonly end: number })[] = [];
  for (const { path, paragraphs } of book) {
    let text = '';
    for (const paragraph of paragraphs) {
      for (const one of paragraph) {
        places.push({ ...one, path, start: text.length, end: text.length + one.words.length });
        text += `${one.words} `;
      }
      text = `${text.trimEnd()}\n\n`;
    }
    texts.set(path, text);
  }
  return { texts, places };
}

const copy = (book: readonly Chapter[]): Chapter[] =>
  book.map(({ path, paragraphs }) => ({ path, paragraphs: paragraphs.map((one) => [...one]) }));

test.each([
  ['what-day-is-it', 40, 10],
  ['the-sky-before-rain', 40, 10],
  ['handbook', 3, 100],
])(
  'sentences of %s that no edit touched are found again, and no note points to words that are not its own',
  async (slug, editions, edits) => {
    const book = readBook(slug);
    const before = write(book);
    const marked = before.places.flatMap(({ id, path, start, end }) => {
      const anchor = anchorAt(path, before.texts.get(path)!, { start, end });
      return anchor === null ? [] : [{ id, ...anchor }];
    });
    const firstNew = made;
    let [untouched, found] = [0, 0];
    const wrong: unknown[] = [];
    for (let n = 0; n < editions; n++) {
      const edited = copy(book);
      for (let m = 0; m < edits; m++) edit(edited);
      const { texts, places } = write(edited);
      const foundPlaces = await findAnchors(marked, [...texts.keys()], async (path) => texts.get(path)!);
      for (const [k, { id, exact }] of marked.entries()) {
        const place = foundPlaces[k];
        const own = places.filter((one) => one.id === id);
        const isUntouched = own.some(({ isOwn }) => isOwn);
        untouched += Number(isUntouched);
        if (place == null) continue;
        const { path, start } = place;
        const there = places.find((one) => one.path === path && one.start <= start && start < one.end);
        // Of the same words side by side either may be meant, and those that were written anew where a note's words were.
        const isRight = own.some(
          (one) =>
            one.path === path &&
            start + exact.length <= one.end + exact.length + 1 &&
            start >= one.start - exact.length - 1,
        );
        found += Number(isRight && isUntouched);
        const [before, after] = [
          texts.get(path)!.slice(0, start),
          texts.get(path)!.slice(start + exact.length),
        ];
        const isWrittenAnew =
          there!.id >= firstNew &&
          (before.endsWith(marked[k]!.prefix) || after.startsWith(marked[k]!.suffix));
        if (!isRight && !isWrittenAnew)
          wrong.push({ ...marked[k], place, now: texts.get(path)!.slice(start - 64, start + 64) });
      }
    }
    expect(wrong).toEqual([]);
    expect(found / untouched).toBeGreaterThan(0.98);
  },
);

test.each([
  ['one letter', 'a'],
  ['two thousand of them', 'a'.repeat(2_000)],
  ['an end that never comes', `${'a'.repeat(1_999)}b`],
  ['a beginning that never comes', `b${'a'.repeat(1_999)}`],
])('in 8 MB of one letter %s is kept and looked for in a moment', async (_, words) => {
  const same = 'a'.repeat(8 * 2 ** 20);
  const text = same.slice(0, 4 * 2 ** 20) + words + same.slice(4 * 2 ** 20);
  const began = process.cpuUsage();
  const start = 4 * 2 ** 20;
  const place = { start, end: start + words.length };
  const anchor = anchorAt('a.md', text, place);
  expect(anchor).toMatchObject({ exact: words });
  for (const now of [`z${text}`, same, `${same}z`])
    await findAnchors([anchor!], ['a.md', 'b.md'], async () => now);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(2_000);
});

test('a letter that stands in a thousand places is found again by what stands beside it', async () => {
  const filler = 'even herons need seven deep meres. '.repeat(300);
  const text = `${filler}Zwölf Boxkämpfer jagen Viktor quer über den Deich.${filler}`;
  const start = text.indexOf('er über');
  const anchor = anchorAt('a.md', text, { start, end: start + 1 });
  const moved = `${filler}${filler}${text}`;
  const [found] = await findAnchors([anchor!], ['a.md'], async () => moved);
  expect(found).toMatchObject({ path: 'a.md', start: start + 2 * filler.length });
});

test.each([
  ['A lone heron.', 7],
  ['A heron and a heron.', null],
  ['', null],
])('words with nothing around them are found where they are the only ones: %j', async (text, start) => {
  const words = { path: 'a.md', exact: 'heron', prefix: '', suffix: '', start: 0, alike: -1 };
  const [found] = await findAnchors([words], ['a.md'], async () => text);
  expect(found?.start ?? null).toBe(start);
});
