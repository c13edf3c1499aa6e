import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { itemYaml, SHELF, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';

const TEXT = '# The heron\r\n\r\nThe heron 🪶 stands on one leg. \u001b[31mIt eats frogs.\r\n';
const NEAR = 'The grey heron waits in cold water until a frog comes near.';
const content = temporaryDirectory();
writeFiles(content, {
  ...SHELF,
  'books/birds/item.yaml': itemYaml({ id: 'birds-id', title: 'Birds' }),
  'books/birds/01.md': TEXT,
  'books/herons/item.yaml': itemYaml({ id: 'herons-id', title: 'Herons', language: 'en' }),
  'books/herons/01.md': `# Birds\n\n## Waiting\n\n${NEAR}\n\n## Nests\n\nNests hang in tall trees.\n`,
  'books/mute/item.yaml': itemYaml({ id: 'mute-id' }),
  'books/mute/cover.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]),
  'books/broken/item.yaml': 'title: No price\n',
});
const ask = (...words: string[]) => type(['ask', '--local', '--content', content, ...words]);

test('ask --local quotes the book and cites the place of each quote', async () => {
  const { code, out, err } = await ask('birds', 'What does the heron stand on?');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('From “The heron”:');
  expect(out).toMatch(/^\[1\] 01\.md, characters \d+ to \d+$/m);
  expect(out).not.toContain('\u001b');
});

test('ask --local --json gives the events of the API, its quotes true slices', async () => {
  const { out } = await ask('birds', 'What does the heron eat?', '--json');
  const events = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.at(-1)).toMatchObject({ type: 'done', outcome: 'quoted', engine: 'extractive' });
  for (const { path, start, end, quote } of events.at(-1).citations)
    expect({ path, quote: TEXT.slice(start, end) }).toEqual({ path: '01.md', quote });
});

test('a question that the book does not cover ends with 0', async () => {
  const { code, out } = await ask('birds', 'How does PostgreSQL vacuum tables?');
  expect(code).toBe(0);
  expect(out).toContain('“Birds” does not seem to cover this question');
});

test('a refused question that the book touches shows the nearest place', async () => {
  const { out } = await ask(
    'herons',
    'Which gearbox does a lorry need, if its diesel pump freezes in cold water?',
  );
  expect(out).toContain('does not seem to cover this question');
  expect(out).toContain(`
The nearest place is:
${NEAR}
01.md, characters 21 to ${21 + NEAR.length}
`);
});

describe('ask --local refuses', () => {
  test.each([
    ['a book that is not there', ['swans', 'Why?'], 1, 'Cannot find the book "swans"'],
    ['a skill', ['free-skill', 'Why?'], 1, 'Cannot find the book "free-skill"'],
    ['a path', ['../books/birds', 'Why?'], 1, 'Cannot find the book "../books/birds"'],
    ['a book without text', ['mute', 'Why?'], 1, 'Cannot ask "mute": the book holds no text'],
    ['a book that cannot be served', ['broken', 'Why?'], 1, 'Cannot ask "broken": it cannot be served'],
    ['a blank question', ['birds', ' \t'], 1, 'Cannot ask a blank question'],
    ['a question too long', ['birds', 'a'.repeat(8001)], 1, 'more than 8000 characters'],
  ])('%s', async (_, words, expected, sentence) => {
    const { code, out, err } = await ask(...words);
    expect({ code, out }).toEqual({ code: expected, out: '' });
    expect(err).toContain(sentence);
  });

  test('a missing content directory', async () => {
    const missing = join(content, 'none');
    expect((await type(['ask', '--local', '--content', missing, 'birds', 'Why?'])).code).toBe(1);
  });

  test('nothing without --local: that asks a stall', async () => {
    const { code, err } = await type(['ask', 'birds', 'Why?'], { BOOKSTALL_HOME: content });
    expect(code).toBe(4);
    expect(err).toContain('bookstall login');
  });
});
