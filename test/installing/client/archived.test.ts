import { describe, expect, test } from 'bun:test';
import { type } from '../../platform/cli/type.ts';
import { itemYaml, openStall, temporaryDirectory, writeFiles } from '../../helpers/harness.ts';

// A busy machine publishes slowly.

const book = (version: string, status: string) => ({
  'books/birds/item.yaml': itemYaml({ id: 'birds-id', unitAmountCents: 900, version, status }),
  'books/birds/01.md': `# Herons\n\nVersion ${version} of the heron stands on one leg in the cold water.\n`,
});

const stall = await openStall({
  files: {
    ...book('1.0', 'published'),
    'books/fish/item.yaml': itemYaml({ id: 'fish-id', unitAmountCents: 900 }),
    'books/fish/01.md': '# Fish\n\nA fish swims.\n',
  },
});
const { key } = await stall.reader('ann@example.org', 'birds', 'fish');
const stranger = await stall.reader('bob@example.org');
const environment = { BOOKSTALL_URL: stall.url, BOOKSTALL_HOME: temporaryDirectory(), BOOKSTALL_KEY: key };
const target = temporaryDirectory();
await type(['install', 'birds', '--dir', target], environment);
writeFiles(stall.content, book('1.1', 'archived'));
await stall.app.publish();

describe('the client, of a book that is no longer sold', () => {
  test.each([
    [['ask', 'birds', 'Where does the heron stand?'], 'Version 1.1 of the heron'],
    [['ask', 'birds-id', 'Where does the heron stand?'], 'Version 1.1 of the heron'],
    [['files', 'birds'], '01.md'],
    [['open', 'birds'], '/books/birds'],
    [['library'], 'archived'],
    [['outdated'], '1.1'],
    [['update'], 'Updated birds 1.0 to 1.1'],
    [['update'], 'Up to date: birds 1.1'],
    [['list'], 'birds'],
  ])('%j works for a holder', async (words, expected) => {
    const { code, out, err } = await type(words, environment);
    expect([code, err]).toEqual([0, expect.any(String)]);
    expect(out).toContain(expected);
  });

  test.each([
    [['ask', 'birds', 'Where?']],
    [['files', 'birds']],
    [['open', 'birds']],
    [['install', 'birds', '--dir', temporaryDirectory()]],
  ])('%j finds nothing for others', async (words) => {
    const others = { ...environment, BOOKSTALL_KEY: stranger.key, BOOKSTALL_HOME: temporaryDirectory() };
    const { code, err } = await type(words, others);
    expect([code, err]).toEqual([1, expect.stringContaining('Cannot find')]);
  });
});

test('update without a key says why once', async () => {
  const own = { ...environment, BOOKSTALL_HOME: temporaryDirectory() };
  for (let n = 0; n < 2; n++)
    expect((await type(['install', 'fish', '--dir', temporaryDirectory()], own)).code).toBe(0);
  const { code, err } = await type(['update'], { ...own, BOOKSTALL_KEY: '' });
  expect([code, err.match(/Cannot/g)?.length]).toEqual([4, 1]);
  expect(err).toContain(`run "bookstall login --url ${stall.url}"`);
});
