import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { buildIndex, type Chapter } from '../../../src/asking/search/build.sql.ts';
import { type Index, openIndex } from '../../../src/asking/search/query.ts';
import { runs } from '../../helpers/runs.ts';

const chapters: readonly Chapter[] = [
  {
    path: 'fox.md',
    title: 'Foxes',
    content: '\ufeff# The fox\r\n\r\nThe fox 🦊 sleeps in a den.\r\n\r\n## Fur\r\n\r\nIts fur is red.',
  },
  { path: 'owl.md', title: 'Owls', content: 'The owl hunts by night\0and swallows mice whole.\n' },
  { path: 'he/wolf.md', title: null, content: '# זאב\n\nהזאב רץ ביער בלילה.' },
  { path: 'empty.md', title: null, content: '' },
];

/** The limit that the extractive engine uses. */
const COVERED = 0.135;

const bookOf = (...chapters: readonly Chapter[]) => ({ language: null, chapters });

let folder: string;
let index: Index;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'search '));
  buildIndex(join(folder, 'book #1?.sqlite'), bookOf(...chapters));
  index = openIndex(join(folder, 'book #1?.sqlite'));
});
afterAll(() => {
  index.close();
  rmSync(folder, { recursive: true });
});

describe('buildIndex', () => {
  test('leaves one file and the same bytes for the same chapters', () => {
    const hashes = ['a', 'b'].map((name) => {
      const file = join(folder, name);
      expect(buildIndex(file, bookOf(...chapters))).toEqual({ passages: 4 });
      return createHash('sha256').update(readFileSync(file)).digest('hex');
    });
    expect(hashes[0]).toBe(hashes[1]);
    expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'book #1?.sqlite']);
  });

  test('refuses to overwrite an index', () => {
    expect(() => buildIndex(join(folder, 'book #1?.sqlite'), bookOf(...chapters))).toThrow('already exists');
    expect(index.search('fox', 1).passages).toHaveLength(1);
  });

  test('builds an empty index for a book without text', () => {
    expect(buildIndex(join(folder, 'none'), bookOf())).toEqual({ passages: 0 });
    const empty = openIndex(join(folder, 'none'));
    expect(empty.search('fox', 5)).toMatchObject({ passages: [], coverage: 0 });
    empty.close();
  });
});

describe('openIndex', () => {
  test('throws if there is no index', () => {
    expect(() => openIndex(join(folder, 'missing'))).toThrow('unable to open');
    expect(readdirSync(folder)).not.toContain('missing');
  });
});

describe('search', () => {
  test.each([
    ['a word', 'Where does the fox sleep?', 'fox.md', 'Foxes › The fox'],
    ['a heading', 'fur', 'fox.md', 'Foxes › The fox › Fur'],
    ['a title without a heading', 'owls', 'owl.md', 'Owls'],
    ['words around NUL', 'night swallow', 'owl.md', 'Owls'],
    ['a right-to-left word', 'ביער', 'he/wolf.md', 'זאב'],
  ])('finds %s', (_, question, path, heading) => {
    expect(index.search(question, 5).passages[0]).toMatchObject({ path, heading });
  });

  test('returns exact slices of the chapters, best first', () => {
    const { passages } = index.search('fox owl fur night ביער', 10);
    expect(passages).toHaveLength(4);
    for (const { path, start, end, text } of passages)
      expect(chapters.find((chapter) => chapter.path === path)!.content.slice(start, end)).toBe(text);
    const scores = passages.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test('returns at most the limit', () => {
    expect(index.search('fox owl fur', 2).passages).toHaveLength(2);
  });

  test('covers a question of the book well, of another subject badly', () => {
    expect(index.search('Where does the fox sleep?', 5).coverage).toBeGreaterThan(COVERED);
    expect(index.search('How does the PostgreSQL planner estimate a fox join?', 5).coverage).toBeLessThan(
      COVERED,
    );
    expect(index.search('PostgreSQL vacuum', 5)).toMatchObject({ passages: [], coverage: 0 });
  });

  test('covers a question of a book of one passage, though it lacks a word of it', () => {
    const file = join(folder, 'tiny');
    buildIndex(file, bookOf({ path: 'a', title: null, content: 'The fox sleeps in a den.' }));
    const tiny = openIndex(file);
    expect(tiny.search('Where does the red fox sleep?', 5).coverage).toBeGreaterThan(COVERED);
    tiny.close();
  });

  test('covers a question about a person in every passage', () => {
    const file = join(folder, 'hero');
    buildIndex(
      file,
      bookOf(...Array.from({ length: 50 }, (_, i) => ({ path: `${i}`, title: null, content: 'Alice ran.' }))),
    );
    const book = openIndex(file);
    expect(book.search('Who is Alice?', 5).coverage).toBeGreaterThan(COVERED);
    book.close();
  });

  test.each([
    ['ru', 'Отчего умер Базаров?', 'Базаров спорил.', 'Весной он умер.'],
    ['de', 'Weshalb bellte der Hund?', 'Der Hund lief.', 'Dort bellte er.'],
  ])('covers a question in %s whose asking words the book lacks', (language, question, often, once) => {
    const file = join(folder, crypto.randomUUID());
    const contents = [...Array.from({ length: 200 }, () => often), once];
    buildIndex(file, {
      language,
      chapters: contents.map((content, i) => ({ path: `${i}`, title: null, content })),
    });
    const book = openIndex(file);
    const { coverage, neededCoverage } = book.search(question, 1);
    book.close();
    expect(coverage).toBeGreaterThan(1.4 * neededCoverage);
  });

  const ofTitle = (title: string, contents: readonly string[], question: string) => {
    const file = join(folder, crypto.randomUUID());
    buildIndex(file, {
      language: 'en',
      chapters: contents.map((content, i) => ({ path: `${i}`, title: null, content })),
    });
    const book = openIndex(file);
    const found = book.search(question, 3, title);
    book.close();
    return found;
  };

  const FILLER = Array.from({ length: 200 }, (_, n) => `These lines speak of other things, number ${n}.`);
  const PETS = ['# Rest\n\nA cooldown is two weeks.', '# Acme\n\nThe Acme handbook.', ...FILLER];
  test.each([
    ['words of the title', 'Acme Handbook', 'What is cooldown in the Acme handbook?', PETS],
    [
      'parts of a word that it has whole',
      'Scripts',
      'What is closure in JavaScript?',
      [
        '# Scope\n\nClosure keeps variables that a call left behind.',
        ...Array.from({ length: 12 }, (_, n) => `JavaScript and JavaScript again, part ${n}.`),
        ...FILLER,
      ],
    ],
    [
      'a heading with other words',
      'Rust',
      'How do I install Rust?',
      [
        '# Installation\n\nThe first step is to install it with one command that you paste into a terminal.',
        '# Installing binaries with cargo install\n\nThe command takes a crate, and installs its program into a folder of yours.',
        ...FILLER,
      ],
    ],
  ])('finds the place before %s', (_, title, question, contents) => {
    expect(ofTitle(title, contents, question).passages[0]!.path).toBe('0');
  });

  test('searches for words of the title that are all there is', () => {
    expect(ofTitle('Acme Handbook', PETS, 'What is the Acme handbook?').passages[0]!.path).toBe('1');
  });

  test.each([
    ['nothing but a word of many passages', 'How do I update Rust?', '# Crates\n\nUpdate the crates.', true],
    ['a heading of these words alone', 'How do I update Rust?', '# Updating\n\nUpdate the tools.', false],
    ['a definition', 'What is an update in Rust?', '# Crates\n\nAn update is a new version.', false],
    ['more words', 'How do I update vendored crates?', '# Crates\n\nUpdate vendored crates.', false],
  ])('tells %s to "%s" apart', (_, question, content, isVague) => {
    expect(ofTitle('Rust', [content, ...FILLER], question).isVague).toBe(isVague);
  });

  const firstOf = (question: string, language: string, ...contents: readonly string[]) => {
    const file = join(folder, crypto.randomUUID());
    const chapters = contents.map((content, i) => ({ path: `${i}`, title: null, content }));
    buildIndex(file, { language, chapters });
    const book = openIndex(file);
    const path = book.search(question, 1).passages[0]?.path;
    book.close();
    return path;
  };

  test.each([
    [
      'words as close together as in the question',
      'the red fox',
      'en',
      ['The fox saw a red hen', 'A red fox saw a hen'],
    ],
    [
      'most of the question in one passage',
      'fox hen owl',
      'en',
      ['A fox. A fox. A fox.', 'Fox, hen and owl.'],
    ],
    ['the irregular form of a verb', 'Who will steal it?', 'en', ['A seal.', 'He stole.']],
    ['an inflected word without a stemmer', 'Reihers', 'de', ['Der Storch.', 'Die Reiher.']],
    ['a German compound of the word', 'Dreieck', 'de', ['Der Kreis.', 'Das Warndreieck.']],
    ['a Korean noun with another particle', '학교에서', 'ko', ['집은 크다', '학교는 크다']],
    ['a Hebrew noun behind a preposition', 'ירושלים', 'he', ['הוא גר בחיפה', 'הוא גר שבירושלים']],
    ['a Hindi word whole', 'मेल', 'hi', ['माल मोल मिल', 'वह मेल है']],
    ['a Chinese word', '压力', 'zh', ['重力与压强', '他有压力']],
    ['part of a name in code', 'executor', 'en', ['let a = 1;', 'DiffExecutor::new()']],
  ])('puts %s first', (_, question, language, contents) => {
    expect(firstOf(question, language, ...contents)).toBe('1');
  });

  test.each([
    ['with a final sigma', 'el', 'λύκος', 'Ο πύργος είναι ψηλός.', 'Εκεί κοιμάται ένας λύκος.'],
    ['whose stem ends otherwise', 'en', 'What is a key?', 'A lock is shut.', 'A key opens it.'],
    ['much longer than its stem', 'en', 'organizations', 'They work alone.', 'An organization joins them.'],
    ['whose stem lacks a vowel', 'en', 'responsibility', 'It is late.', 'His responsibility is small.'],
    ['that is a part of a name', 'en', 'executor', 'A loop ends.', 'Then DiffExecutor runs it.'],
    ['of Chinese in a book called English', 'en', '苍鹭站在哪里', '天很冷。', '灰色的苍鹭站在水里。'],
  ])('marks the sentence of a word %s', (_, language, question, other, expected) => {
    const file = join(folder, crypto.randomUUID());
    const content = `${other}\n\n${expected}`;
    buildIndex(file, { language, chapters: [{ path: 'a', title: null, content }] });
    const book = openIndex(file);
    const [quote] = book.search(question, 1).quotes;
    book.close();
    expect(content.slice(...(quote?.marked[0] ?? [0, 0]))).toBe(expected);
  });

  test('shows what stands below a heading that alone holds the words, without marks', () => {
    const file = join(folder, 'headed');
    const content = '# Errors\n\nThey are few.\n\n## 403 Insufficient balance\n\nYou have to pay first.\n';
    buildIndex(file, { language: 'en', chapters: [{ path: 'a', title: null, content }] });
    const book = openIndex(file);
    const { quotes } = book.search('insufficient balance', 1);
    book.close();
    expect(quotes).toMatchObject([{ text: 'You have to pay first.', marked: [] }]);
  });

  test('weighs a rare word more than a common one', () => {
    const file = join(folder, 'weights');
    const common = Array.from({ length: 50 }, (_, i) => ({ path: `${i}`, title: null, content: 'fox' }));
    buildIndex(file, bookOf(...common, { path: 'owl', title: null, content: 'owl' }));
    const book = openIndex(file);
    expect(book.search('fox owl', 1).passages[0]!.path).toBe('owl');
    book.close();
  });

  test.each([
    ['only stop words', 'what is it'],
    ['only punctuation', '"?!*" (((^:-'],
    ['nothing', ''],
    ['NUL', '\0\0'],
    ['emoji', '😀'.repeat(8000)],
  ])('finds nothing for %s', (_, question) => {
    expect(index.search(question, 5)).toMatchObject({ passages: [], quotes: [], coverage: 0 });
  });

  test.each([
    'NEAR(fox owl, 3)',
    'text:fox* AND NOT owl',
    '"fox',
    "fox'; DROP TABLE place; --",
    '^fox + "owl"',
    'fox\0owl',
  ])('takes %j as words', (question) => {
    expect(index.search(question, 5).passages.map(({ path }) => path)).toContain('fox.md');
  });

  test('finds the best of hundreds of passages that match, wherever it is', () => {
    const filler = Array.from({ length: 300 }, (_, n) =>
      n % 2 === 0
        ? `## Part ${n}\n\nIn winter we walked along hedge ${n}, as we had done in each year.\n`
        : `## Part ${n}\n\nA dormouse sleeps below hedge ${n}, and it does so for weeks.\n`,
    );
    for (const place of [0, 150, 300]) {
      const best = '## Winter\n\nThe fox sleeps through winter in a den below the old oak.\n';
      const file = join(folder, `best-${place}.sqlite`);
      const content = filler.toSpliced(place, 0, best).join('\n');
      buildIndex(file, bookOf({ path: 'a.md', title: null, content }));
      const many = openIndex(file);
      expect(many.search('What sleeps in winter?', 3).passages[0]?.heading).toBe('Winter');
      many.close();
    }
  });

  test('answers 8,000 characters of distinct words', () => {
    const question = Array.from({ length: 1300 }, (_, i) => `w${i}`).join(' ');
    expect(index.search(`fox ${question}`, 20).passages.map(({ path }) => path)).toContain('fox.md');
  });

  test('never throws, and coverage is between 0 and 1', () => {
    const words = fc.constantFrom('fox', 'owl', '"', '*', ' OR ', 'NEAR(', '\0', '\u202e', 'fur', '\u0301');
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string({ unit: 'binary' }), fc.string())), (parts) => {
        const { coverage } = index.search(parts.join(' '), 5);
        expect(coverage).toBeGreaterThanOrEqual(0);
        expect(coverage).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(300) },
    );
  });
});
