import { expect, test } from 'bun:test';
import { createMemo } from '../../src/store/generation.ts';

type Page = { readonly text: string };

function openMemo() {
  let generation = 0;
  let reads = 0;
  const remember = createMemo<Page>(() => generation);
  const read = async (): Promise<Page> => ({ text: `read ${++reads}` });
  return { remember, read, write: () => generation++ };
}

test('memo reads once while nobody writes, and again after', async () => {
  const { remember, read, write } = openMemo();
  const first = await remember('a', read);
  expect(await remember('a', read)).toBe(first);
  write();
  expect(await remember('a', read)).toEqual({ text: 'read 2' });
});

test('memo keeps names apart', async () => {
  const { remember, read } = openMemo();
  expect(await remember('a', read)).not.toEqual(await remember('b', read));
});

test('memo does not keep what was read while somebody wrote', async () => {
  const { remember, read, write } = openMemo();
  const slow = remember('a', async () => {
    const page = await read();
    write();
    return page;
  });
  expect(await slow).toEqual({ text: 'read 1' });
  expect(await remember('a', read)).toEqual({ text: 'read 2' });
});

test('memo asks again for what was not found', async () => {
  const { remember, read } = openMemo();
  expect(await remember('a', async () => null)).toBeNull();
  expect(await remember('a', read)).toEqual({ text: 'read 1' });
});

test('memo gives nothing that is no longer fresh', async () => {
  const { remember, read } = openMemo();
  await remember('a', read);
  expect(await remember('a', read, () => false)).toEqual({ text: 'read 2' });
});

test('memo stays small, whoever asks', async () => {
  const { remember, read } = openMemo();
  const first = await remember('0', read);
  for (let n = 1; n <= 10_000; n++) await remember(String(n), read);
  expect(await remember('0', read)).not.toBe(first);
});
