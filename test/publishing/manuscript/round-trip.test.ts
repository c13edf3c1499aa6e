import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { defaultLimits } from '../../../src/platform/base/item-limits.ts';
import { createNotes } from '../../../src/publishing/manuscript/book-text.ts';
import { readManuscripts } from '../../../src/publishing/manuscript/recognise.ts';
import { renderMarkdown } from '../../../src/reading/markup/markdown.ts';
import { type Files, openStall, temporaryDirectory } from '../../helpers/harness.ts';
import { runs } from '../../helpers/runs.ts';

type Chapter = { title: string; level: number; part: string | null; text: string };

const word = fc.oneof(
  fc.stringMatching(/^[a-zA-Z]{1,9}$/),
  fc.constantFrom(
    ...[
      '*',
      '_',
      '__init__',
      '<b>',
      '</p>',
      '&amp;',
      '&',
      '<',
      '>',
      '[x](y)',
      '![z]',
      '`',
      '1.',
      '-',
      '+',
      '#',
      '~~',
    ],
    ...[
      '|',
      '\\',
      '\\*',
      'http://a.example',
      'a_b_c',
      '$x$',
      '漢字',
      'שלום',
      '🦊',
      'é',
      '[^1]',
      '---',
      '===',
      '"q"',
      '…',
    ],
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }).filter((text) => /^[^\s\p{C}]+$/u.test(text)),
);
const phrase = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
/** A phrase as Markdown that shows it as it is. */
const escaped = phrase.map((text) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&'));
const plain = fc.stringMatching(/^[a-z]{2,8}( [a-z]{2,8}){0,3}$/);

const block = fc.oneof(
  escaped,
  escaped.map((text) => `## ${text}`),
  fc.array(escaped, { minLength: 1, maxLength: 3 }).map((items) => items.map((one) => `- ${one}`).join('\n')),
  fc
    .array(escaped, { minLength: 1, maxLength: 3 })
    .map((items) => items.map((one, n) => `${n + 4}. ${one}`).join('\n')),
  escaped.map((text) => `> ${text}\n>\n> > inner`),
  phrase.map(
    (text) => `\`\`\`\`js\n${text.replaceAll('````', '')}\n  ${text.replaceAll('````', '')}\n\`\`\`\``,
  ),
  fc.tuple(plain, plain).map(([a, b]) => `| ${a} | ${b} |\n| --- | --- |\n| *${b}* | \`${a}\` |`),
  fc
    .tuple(plain, plain)
    .map(([a, b]) => `**${a}** *${b}* ~~${a}~~ [${b}](https://example.org/) H<sub>2</sub>O\\\nnext`),
  fc.tuple(plain, plain, fc.nat(1e6)).map(([a, b, n]) => `${a}[^${n}] ${b}\n\n[^${n}]: ${b} ${a}`),
  fc.constant('---'),
);

const chapter = fc.record({
  title: fc.oneof(
    plain,
    phrase.filter((text) => [...text].length <= 100),
  ),
  part: fc.constantFrom(null, 'Birds', 'Tides & <reeds>'),
  // A page without words is left out.
  text: fc
    .tuple(plain, fc.array(block, { maxLength: 6 }))
    .map(([first, blocks]) => [first, ...blocks].join('\n\n')),
});
const book = fc.array(chapter, { minLength: 1, maxLength: 5 }).map((chapters): Chapter[] => {
  // A part's name is one heading: its chapters lie together.
  const ordered = chapters.toSorted((a, b) => (a.part ?? '').localeCompare(b.part ?? ''));
  return ordered.map((one, n) => ({ ...one, level: ordered[n - 1]?.part === one.part ? 1 + (n % 2) : 1 }));
});

/** The shown words of a text. */
function wordsOf(markdown: string): string {
  const links = { href: (target: string) => target, image: (target: string) => target };
  const html = renderMarkdown(markdown, { links, anchors: false })?.html ?? '';
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const entriesOf = (chapters: readonly Chapter[]) => {
  let part: string | null = null;
  return chapters.flatMap(({ title, level, part: own }, n) => {
    const heading = own === part ? [] : [own === null ? { end: 'part' } : { part: own }];
    part = own;
    return [...heading, { path: `${n}.md`, title, level: String(level) }];
  });
};

test('an EPUB that the stall made is imported with the same chapters and the same words', async () => {
  const books = fc.sample(book, { numRuns: runs(50), seed: 20_261_122 });
  const files: Files = Object.fromEntries(
    books.flatMap((chapters, b) => [
      [
        `books/b${b}/item.yaml`,
        stringify({
          id: `b${b}`,
          title: `Book ${b}`,
          description: 'D',
          publisher: 'P',
          authors: ['Ada', 'Bo'],
          language: 'en',
          unitAmountCents: '0',
          chapters: entriesOf(chapters),
        }),
      ],
      ...chapters.map(({ text }, n) => [`books/b${b}/${n}.md`, `${text}\n`] as const),
    ]),
  );
  const stall = await openStall({ files });
  const directory = temporaryDirectory();
  for (const [b, chapters] of books.entries()) {
    const answer = await stall.fetch(`/api/books/b${b}/epub`);
    expect(answer.status).toBe(200);
    const file = join(directory, `b${b}.epub`);
    writeFileSync(file, new Uint8Array(await answer.arrayBuffer()));
    const [book] = await readManuscripts(file, { as: null, limits: defaultLimits, notes: createNotes() });
    expect(book).toMatchObject({
      title: `Book ${b}`,
      publisher: 'P',
      authors: ['Ada', 'Bo'],
      language: 'en',
    });
    expect(book?.chapters.map(({ title, level, part }) => ({ title, level, part }))).toEqual(
      chapters.map(({ title, level, part }) => ({ title, level, part })),
    );
    const texts = new Map(
      book?.files.map((one) => [one.path, 'bytes' in one ? new TextDecoder().decode(one.bytes) : '']),
    );
    for (const [n, { text }] of chapters.entries())
      expect(wordsOf(texts.get(book?.chapters[n]?.path ?? '') ?? '')).toBe(wordsOf(text));
  }
});
