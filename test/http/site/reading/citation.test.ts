import { expect, test } from 'bun:test';
import { itemYaml, openStall, readEvents } from '../../../harness.ts';

const CHAPTER =
  '# Herons\n\nThe grey heron **stands** on one leg because a leg in the water loses warmth.\n\nIt eats fish & frogs.\n';
const stall = await openStall({
  files: { 'books/herons/item.yaml': itemYaml({ id: 'herons' }), 'books/herons/the marsh/one.md': CHAPTER },
});
const reader = await stall.reader('reader@example.org');

test('a citation leads to the page with its quote marked', async () => {
  const response = await stall.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { ...reader.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'herons', query: 'Why does the heron stand on one leg?' }),
  });
  const done = (await readEvents(response)).find(({ event }) => event === 'done');
  const [citation] = done!.data['citations'] as { quote: string; url: string }[];
  expect(citation!.url).toStartWith(`${stall.url}/books/herons/read/the%20marsh/one.md?mark=`);
  const page = await (await fetch(citation!.url)).text();
  const marked = [...page.matchAll(/<mark[^>]*>(.*?)<\/mark>/gs)].map(([, text]) => text).join('');
  expect(marked).toBe(citation!.quote.replaceAll('*', ''));
});
