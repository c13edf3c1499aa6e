import { expect, test } from 'bun:test';
import { itemYaml, openStall, writeFiles } from '../../helpers/harness.ts';

const paid = { id: 'herons', title: 'Herons', unitAmountCents: 1900, sample: '[one.md]', tags: '[birds]' };
const stall = await openStall({
  files: {
    'stall.yaml': 'name: The marsh\ncontact: old@example.org\nawning: "#225588"\n',
    'books/herons/item.yaml': itemYaml(paid),
    'books/herons/one.md': '# The leg\n\nWords.\n',
    'books/herons/two.md': '# The reason\n\nMore words.\n',
  },
});
await stall.reader('holder@example.org', 'herons');
await stall.reader('stranger@example.org');
const holder = await stall.signIn('holder@example.org');
const stranger = await stall.signIn('stranger@example.org');
const PATHS = ['/books/herons', '/books/herons/read/one.md'];
const pages = async (headers: Record<string, string>) =>
  Promise.all(PATHS.map(async (path) => (await stall.fetch(path, { headers })).text()));

test('what one reader is shown is not kept for another, whoever comes first', async () => {
  const order = [holder, stranger, {}, stranger, holder];
  for (const headers of order) {
    const isHolder = headers === holder;
    const [item = '', chapter = ''] = await pages(headers);
    expect(item.includes('href="/books/herons/files/one.md"')).toBeTrue();
    expect(item.includes('href="/books/herons/files/two.md"')).toBe(isHolder);
    for (const page of [item, chapter]) {
      const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      expect(ids.length).toBe(new Set(ids).size);
      expect(page.includes('>Sample</span>')).toBe(!isHolder);
      expect(page.includes('holder@example.org')).toBe(isHolder);
      expect(page.includes('stranger@example.org')).toBe(headers === stranger);
    }
  }
});

test('the open chapter alone is marked in the contents', async () => {
  for (const name of ['one', 'two', 'one']) {
    const page = await (await stall.fetch(`/books/herons/read/${name}.md`, { headers: holder })).text();
    expect([...page.matchAll(/<a href="([^"]*)" aria-current="page"/g)].map(([, href]) => href)).toEqual([
      `/books/herons/read/${name}.md`,
    ]);
  }
});

test('another edition shows nothing of the one before, nor do other settings of the stall', async () => {
  const before = (await pages({})).join();
  for (const word of ['>Herons<', 'The reason', 'birds', 'The marsh', 'old@example.org', 'awning-225588'])
    expect(before).toInclude(word);
  writeFiles(stall.content, {
    'stall.yaml': 'name: The shore\ncontact: new@example.org\nawning: "#335522"\n',
    'books/herons/item.yaml': itemYaml({ ...paid, title: 'Egrets', tags: '[waders]', sample: '[two.md]' }),
    'books/herons/two.md': '# The cause\n\nOther words.\n',
  });
  await stall.app.publish();
  const [item = '', chapter = ''] = await pages(holder);
  const after = [...(await pages({})), item, chapter].join();
  for (const word of ['Herons', 'The reason', 'birds', 'The marsh', 'old@example.org', 'awning-225588'])
    expect(after).not.toInclude(word);
  for (const word of ['>Egrets<', 'The cause', 'waders', 'The shore', 'new@example.org', 'awning-335522'])
    expect(item + chapter).toInclude(word);
});

test('an item that becomes free shows what is open now', async () => {
  const open = async () => (await pages({}))[0] ?? '';
  expect(await open()).not.toInclude('href="/books/herons/files/one.md"');
  writeFiles(stall.content, { 'books/herons/item.yaml': itemYaml({ ...paid, unitAmountCents: 0 }) });
  await stall.app.publish();
  const free = await open();
  expect(free).toInclude('href="/books/herons/files/one.md"');
  expect(free).toInclude('Download all files as tar.gz');
  expect(free).not.toInclude('>Sample</span>');
});
