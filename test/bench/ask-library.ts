// A made-up library of 300 books of 40,000 words, 12 million in all, the same at every run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generator } from './qa-random.ts';

export const BOOKS = 300;
const CHAPTERS = 40;
const PARAGRAPHS = 15;
const SENTENCES = 4;
const WORDS = 17;
const VOCABULARY = 30_000;
const COMMON =
  'the of and to a in that he was it his her with as for had you not be on at by I which have or from this him but all she they were my are me one their so'.split(
    ' ',
  );

/** Questions for the readers of a book: words that are together in it. */
export type AskedBook = { readonly id: string; readonly questions: readonly string[]; readonly long: string };

/** Writes the books, each chapter of so many paragraphs of 68 words; word frequencies follow Zipf's law, as they do in prose. */
export function writeAskLibrary(content: string, books = BOOKS, of = PARAGRAPHS): readonly AskedBook[] {
  const random = generator(12);
  const words = Array.from({ length: VOCABULARY }, () => madeUp(random));
  const word = (): string =>
    random() < 0.45
      ? COMMON[Math.floor(random() * COMMON.length)]!
      : words[Math.min(VOCABULARY - 1, Math.floor(Math.exp(random() * Math.log(VOCABULARY))))]!;
  return Array.from({ length: books }, (_, book) => {
    const id = `book-${book}`;
    const folder = join(content, 'books', id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'item.yaml'),
      `id: ${id}\ntitle: ${id}\ndescription: Made up\npublisher: Bench\nunitAmountCents: 0\nlanguage: en\n`,
    );
    const sentences: string[] = [];
    for (let chapter = 0; chapter < CHAPTERS; chapter++) {
      const paragraphs = Array.from({ length: of }, () => {
        const own = Array.from({ length: SENTENCES }, () => Array.from({ length: WORDS }, word).join(' '));
        sentences.push(own[0]!);
        return `${own.join('. ')}.`;
      });
      writeFileSync(join(folder, `${chapter}.md`), `# ${word()} ${word()}\n\n${paragraphs.join('\n\n')}\n`);
    }
    const asked = (): string => sentences[Math.floor(random() * sentences.length)]!;
    const questions = Array.from(
      { length: 10 },
      () => `What did ${asked().split(' ').slice(2, 12).join(' ')}?`,
    );
    return { id, questions, long: Array.from({ length: 120 }, asked).join(' ').slice(0, 8000) };
  });
}

function madeUp(random: () => number): string {
  const letter = (of: string): string => of[Math.floor(random() * of.length)]!;
  const syllables = 1 + Math.floor(random() * 3);
  return Array.from(
    { length: syllables },
    () => letter('bcdfghklmnprstvw') + letter('aeiou') + letter('lnrst'),
  ).join('');
}
