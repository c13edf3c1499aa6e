import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type } from '../cli/type.ts';
import { type Files, itemYaml, openStall, temporaryDirectory, writeFiles } from '../harness.ts';

// A busy machine publishes slowly.
setDefaultTimeout(60_000);

const book = (slug: string, id: string, version: string, price = 0): Files => ({
  [`books/${slug}/item.yaml`]: itemYaml({ id, version, unitAmountCents: price }),
  [`books/${slug}/01.md`]: `# ${id}\n\nVersion ${version} of the heron stands on one leg in the cold water.\n`,
});

/** A stall whose book was installed as "birds" and is now "herons", in version 2.0. */
async function open(others: Files = {}) {
  const stall = await openStall({ files: book('birds', 'birds-id', '1.0') });
  const target = temporaryDirectory();
  const environment = { BOOKSTALL_URL: stall.url, BOOKSTALL_HOME: temporaryDirectory() };
  const say = (...words: string[]) => type(words, environment);
  await say('install', 'birds', '--dir', target);
  renameSync(join(stall.content, 'books/birds'), join(stall.content, 'books/herons'));
  writeFiles(stall.content, { ...book('herons', 'birds-id', '2.0'), ...others });
  await stall.app.publish();
  const read = (): string => readFileSync(join(target, 'birds/01.md'), 'utf8');
  return { stall, target, say, read };
}

let opened: Awaited<ReturnType<typeof open>>;

describe('the client, of a book that was renamed', () => {
  beforeEach(async () => {
    opened = await open();
  });

  test('updates the folder that it installed', async () => {
    const { say, read, target } = opened;
    expect((await say('outdated')).out).toContain('2.0');
    const { code, out } = await say('update');
    expect([code, out]).toEqual([0, expect.stringContaining('Updated birds 1.0 to 2.0')]);
    expect(read()).toContain('Version 2.0');
    expect(existsSync(join(target, 'herons'))).toBe(false);
    expect((await say('verify')).code).toBe(0);
    expect((await say('update')).out).toContain('Up to date');
    expect((await say('open', 'birds')).out).toContain('/books/herons');
  });
});

describe.each([
  ['free', 0],
  ['paid', 500],
])('the client, of a book whose old slug is that of another %s item', (_, price) => {
  beforeEach(async () => {
    opened = await open(book('birds', 'other-id', '9.0', price));
  });

  test('follows its id, and stays in its folder', async () => {
    const { say, read, target } = opened;
    expect((await say('outdated')).out).toContain('2.0');
    const { code, out, err } = await say('update');
    expect([code, out, err]).toEqual([0, expect.stringContaining('Updated birds 1.0 to 2.0'), '']);
    expect(read()).toContain('# birds-id\n\nVersion 2.0');
    expect(existsSync(join(target, 'herons'))).toBe(false);
    expect((await say('update')).out).toContain('Up to date');
  });

  test('never takes the other item, though the book is gone', async () => {
    const { stall, say, read } = opened;
    rmSync(join(stall.content, 'books/herons'), { recursive: true });
    await stall.app.publish();
    const { code, err } = await say('update');
    expect([code, err]).toEqual([expect.any(Number), expect.stringContaining('Cannot')]);
    expect(code).not.toBe(0);
    expect(read()).toContain('Version 1.0');
  });
});
