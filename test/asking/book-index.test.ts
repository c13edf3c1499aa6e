import { expect, test } from 'bun:test';
import { readdirSync, readlinkSync } from 'node:fs';
import { openStall, readEvents, type Stall, until, writeFiles } from '../helpers/harness.ts';

async function ask(stall: Stall, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await stall.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'free-id', query: 'Why does the heron stand on one leg?' }),
  });
  return (await readEvents(response)).at(-1)?.data['outcome'];
}

/** The indexes of a stall that this process has open, deleted ones too. */
function openIndexes({ data }: Stall): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${descriptor}`);
      return file.startsWith(data) && file.includes('.index') ? [file] : [];
    } catch {
      return [];
    }
  });
}

/** A stall whose compilers end, so that what they had open is not counted. */
const openAlone = () => openStall({ startCompiler: undefined });

test('the index of a superseded edition is closed when the new one is served', async () => {
  const stall = await openAlone();
  const { headers } = await stall.reader('ann@example.org', 'free-book');
  for (let edit = 1; edit <= 3; edit++) {
    expect(await ask(stall, headers)).toBe('quoted');
    expect(openIndexes(stall)).toHaveLength(1);
    writeFiles(stall.content, { 'books/free-book/02.md': `# Edit ${edit}\n\nA heron eats ${edit} frogs.\n` });
    await stall.app.publish();
    await until(() => openIndexes(stall).length === 0);
  }
  await stall.close();
});

test('an index that stays in the catalog stays open', async () => {
  const stall = await openAlone();
  const { headers } = await stall.reader('ann@example.org', 'free-book');
  await ask(stall, headers);
  // Whoever made an index may have it open a moment longer.
  await until(() => openIndexes(stall).length === 1);
  const before = openIndexes(stall);
  writeFiles(stall.content, { 'books/paid-book/02.md': '# Another book\n\nIt changed.\n' });
  await stall.app.publish();
  await until(() => openIndexes(stall).length === 1);
  expect(openIndexes(stall)).toEqual(before);
  await stall.close();
});

test('searches that waited for one index together leave turns of the event loop to others between them', async () => {
  const stall = await openStall();
  const edition = stall.app.catalog().byBookId.get('free-id')!;
  let turn = 0;
  const count = (): void => {
    turn++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const turns = await Promise.all(
    Array.from({ length: 1000 }, () =>
      stall.app.stall.indexes.search(edition, { question: 'heron', limit: 1 }).then(() => turn),
    ),
  );
  clearImmediate(next);
  expect(new Set(turns).size).toBeGreaterThan(1);
  await stall.close();
});
