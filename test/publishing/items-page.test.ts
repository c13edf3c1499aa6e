import { expect, test } from 'bun:test';
import { openStall } from '../helpers/harness.ts';
import { listItems } from '../../src/accounts/items.ts';

test('a page of the catalog is the same object until the catalog changes or many others were asked for', async () => {
  const { app } = await openStall();
  const list = (after?: string, limit?: string) => listItems(app.stall, { after, limit });
  const first = list();
  expect(list('', '100')).toBe(first);
  expect(list(undefined, '1')).not.toBe(first);
  expect(list('a')).not.toBe(list('b'));
  for (let n = 0; n < 20; n++) list(`name-${n}`);
  expect(list()).not.toBe(first);
  expect(list()).toEqual(first);
  const { bySlug } = app.catalog();
  await app.publish();
  expect([list().items.length, app.catalog().bySlug.size]).toEqual([first.items.length, bySlug.size]);
});
