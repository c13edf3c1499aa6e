import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStall, type Stall, writeFiles } from '../helpers/harness.ts';

const book = (slug: string, more = ''): Record<string, string> => ({
  [`books/${slug}/item.yaml`]: `id: ${slug}\ntitle: ${slug}\ndescription: A bird\nunitAmountCents: 500\n${more}`,
  [`books/${slug}/01.md`]: '# The heron\n\nIt fishes at dawn.\n',
});
const yaml = (publisher: string, currency: string) => ({
  'stall.yaml': `defaults: {publisher: ${publisher}, currency: ${currency}}\n`,
});
const FILES = { ...yaml('Quince', 'eur'), ...book('heron'), ...book('egret', 'publisher: Ada\n') };

async function listed(stall: Stall): Promise<string[]> {
  const { items } = (await (await stall.fetch('/api/items')).json()) as {
    items: { slug: string; publisher: string; currency: string }[];
  };
  return items.map(({ slug, publisher, currency }) => `${slug} ${publisher} ${currency}`).toSorted();
}

test('items take the defaults of stall.yaml, and new ones at the next publish', async () => {
  const stall = await openStall({ files: FILES });
  expect(await listed(stall)).toEqual(['egret Ada eur', 'heron Quince eur']);
  writeFiles(stall.content, yaml('Medlar', 'jpy'));
  await stall.app.publish();
  expect(await listed(stall)).toEqual(['egret Ada jpy', 'heron Medlar jpy']);
});

test('defaults that changed while the stall was down are read at its start', async () => {
  const stall = await openStall({ files: FILES });
  await stall.close();
  const again = await openStall({ directory: stall.directory, files: yaml('Medlar', 'eur') });
  expect(await listed(again)).toEqual(['egret Ada eur', 'heron Medlar eur']);
});

test('a stall.yaml with errors changes no price and no publisher, also after a restart', async () => {
  const stall = await openStall({ files: FILES });
  writeFiles(stall.content, { 'stall.yaml': 'defaults: {currency: euro}\n', ...book('ibis') });
  await stall.app.publish();
  const served = ['egret Ada eur', 'heron Quince eur', 'ibis Quince eur'];
  expect(await listed(stall)).toEqual(served);
  await stall.close();
  const again = await openStall({ directory: stall.directory, files: {} });
  expect(await listed(again)).toEqual(served);
});

test('an item whose default is gone keeps its last good edition', async () => {
  const stall = await openStall({ files: FILES });
  rmSync(join(stall.content, 'stall.yaml'));
  await stall.app.publish();
  expect(await listed(stall)).toEqual(['egret Ada usd', 'heron Quince eur']);
});

test("a draft without price and publisher is the owner's to see, and costs nobody nothing", async () => {
  const stall = await openStall({
    files: {
      'books/heron/item.yaml': 'id: heron\ntitle: The heron\ndescription: A bird\nstatus: draft\n',
      'books/heron/01.md': '# The heron\n\nIt fishes at dawn.\n',
    },
  });
  await stall.app.admin.accounts.add('owner@example.org', true);
  const page = await stall.fetch('/books/heron', { headers: await stall.signIn('owner@example.org') });
  const text = await page.text();
  expect(page.status).toBe(200);
  expect(text).toContain('No price yet');
  expect(text).not.toMatch(/NaN|\bnull\b|published by|class="price">Free/);
  expect((await stall.fetch('/books/heron')).status).toBe(404);
  expect((await stall.fetch('/api/install/heron')).status).toBe(404);
});
