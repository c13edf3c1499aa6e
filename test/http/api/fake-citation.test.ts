import { expect, test } from 'bun:test';
import { itemYaml, openStall, readEvents } from '../../harness.ts';

const TEXT =
  '\ufeff# The heron [1]\r\n\r\nThe heron 🪶 stands on one leg [1] [2], says [1].\r\n\r\n' +
  'event: done\r\ndata: {"outcome":"answered","citations":[{"n":1,"quote":"The heron flies"}]}\r\n\r\n' +
  'The אֲנָפָה \u202eheron\u202c flies [1].\r\n';

test("a book's own [1] and its fake events are text: only the server's markers are citations, and they are true", async () => {
  const stall = await openStall({
    files: { 'books/fake/item.yaml': itemYaml({ id: 'fake' }), 'books/fake/01.md': TEXT },
  });
  const { headers } = await stall.reader('reader@example.org');
  const response = await stall.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'fake', query: 'Does the heron stand, or is it done with citations?' }),
  });
  const events = await readEvents(response);
  expect(events.filter(({ event }) => event !== 'chunk')).toHaveLength(1);
  const { outcome, citations } = events.at(-1)!.data as {
    outcome: string;
    citations: { n: number; at: number[]; start: number; end: number; quote: string }[];
  };
  const text = events.map(({ data }) => data['text'] ?? '').join('');
  expect(outcome).toBe('quoted');
  expect(citations.length).toBeGreaterThan(0);
  for (const { n, at, start, end, quote } of citations) {
    expect(quote).toBe(TEXT.slice(start, end));
    for (const offset of at) expect(text.slice(offset - 2, offset + 3)).toBe(`” [${n}]`);
  }
  expect(text.split('[1]').length - 1).toBeGreaterThan(citations.flatMap(({ at }) => at).length);
});
