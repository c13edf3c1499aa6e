import { expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { openStall, SHELF } from '../helpers/harness.ts';

test('an item whose import was killed between its two renames is served as it was', async () => {
  const { app, content, fetch } = await openStall(SHELF);
  const before = app.catalog().bySlug.get('free-book');
  renameSync(join(content, 'books/free-book'), join(content, `books/.replaced-${2 ** 30}-free-book`));
  const publications = await app.publish();
  const warned = publications.filter(({ problems }) => problems.some(({ code }) => code === 'import-ended'));
  expect(warned.map(({ slug }) => slug)).toEqual(['free-book']);
  expect(app.catalog().bySlug.get('free-book')?.digest).toBe(before!.digest);
  expect((await fetch('/api/install/free-book')).status).toBe(200);
});
