import { expect, test } from 'bun:test';
import { ANY_ORDER } from '../../src/selling/order.ts';
import { SHELF } from '../helpers/harness.ts';
import { openAdmin, wordsOf } from '../office/visit.ts';

const BUNDLE =
  'bundles:\n  - slug: both\n    title: Both herons\n    items: [paid-book, paid-skill]\n    unitAmountCents: 2900\n';
const { stall, cookie, open, send } = await openAdmin({ files: { ...SHELF, 'stall.yaml': BUNDLE } });
const { orders, mails } = stall.app.admin;
const IMPORT = '/admin/orders/import';
const GUMROAD = [
  'Purchase ID,Item Name,Purchase Email,Purchase Date,Sale Price ($),Fully Refunded?',
  'a==,The paid book,ann@example.org,2025-01-02,19,0',
  'b==,Two <b>herons</b>,bea@example.org,2025-01-03,29,0',
  'c==,The paid book,cy@example.org,2025-01-04,19,1',
].join('\n');

/** Sends the form as a browser does once a file is chosen. */
async function upload(
  bytes: string | Uint8Array<ArrayBuffer>,
  fields: Readonly<Record<string, string>> = {},
) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ csv: '', ...fields })) body.set(name, value);
  body.set('file', new File([bytes], 'sales.csv', { type: 'text/csv' }));
  const headers = { ...cookie, 'Sec-Fetch-Site': 'same-origin' };
  const response = await stall.fetch(IMPORT, { method: 'POST', headers, body });
  return { status: response.status, html: await response.text() };
}

/** The fields of a page's form, as the next step sends them. */
function fieldsOf(html: string): Record<string, string> {
  const unescape = (text: string): string =>
    text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"' })[name] ?? '&');
  const csv = /<textarea[^>]* name="csv"[^>]*>\n([^<]*)</.exec(html)?.[1] ?? '';
  const selects = [...html.matchAll(/<select[^>]* name="([^"]*)".*?<\/select>/gs)].map(
    ([select, name = '']) => [unescape(name), / value="([^"]*)" selected/.exec(select)?.[1] ?? ''] as const,
  );
  return { csv: unescape(csv), ...Object.fromEntries(selects) };
}

test('a provider’s file shows what it makes, asks for the product it does not know, and is imported then', async () => {
  expect((await open(IMPORT)).html).toContain('enctype="multipart/form-data"');
  const looked = await upload(GUMROAD);
  const words = wordsOf(looked.html);
  expect(words).toContain('This would make 1 order; 0 known before, 2 rows left out.');
  expect(words).toContain('3 b…@e… nothing here is known as "Two <b>herons</b>"');
  expect(words).toContain('4 c…@e… it was refunded in full');
  expect(looked.html).not.toContain('<b>');
  expect(orders.count(ANY_ORDER)).toBe(0);
  const chosen = { ...fieldsOf(looked.html), 'product:Two <b>herons</b>': 'both' };
  const again = await send(IMPORT, chosen);
  expect(wordsOf(again.html)).toContain('This would make 2 orders');
  expect(fieldsOf(again.html)).toEqual(chosen);
  const done = await send(IMPORT, { ...chosen, act: 'import' });
  expect(wordsOf(done.html)).toContain('Made 2 orders; 0 known before, 1 row left out.');
  expect(orders.page(ANY_ORDER, null).rows).toMatchObject([
    { provider: 'gumroad', providerRef: 'b==', bundle: 'both', amount: 2900 },
    { provider: 'gumroad', providerRef: 'a==', items: [{ slug: 'paid-book' }] },
  ]);
  expect(wordsOf((await send(IMPORT, { ...chosen, act: 'import' })).html)).toContain(
    'Made 0 orders; 2 known before',
  );
  expect(mails.page(null, null).rows).toEqual([]);
});

test('any other table is read once it is said what its columns are; buyers are mailed if that is ticked', async () => {
  const table = Buffer.from('Käufer;"<img>";Betrag\nöde@example.org;x;19,00 EUR\n', 'latin1');
  const first = await upload(new Uint8Array(table));
  expect(wordsOf(first.html)).toMatch(/Column “Käufer” Not needed E-mail .* öde@example\.org Column “<img>”/);
  expect(first.html).not.toContain('<img>');
  expect(first.html).not.toContain('value="import"');
  const named = { ...fieldsOf(first.html), column0: 'email', column2: 'amount' };
  const second = await send(IMPORT, named);
  expect(wordsOf(second.html)).toContain('This would make 0 orders; 0 known before, 1 row left out.');
  expect(wordsOf(second.html)).toContain('Rows that name no product');
  const whole = { ...fieldsOf(second.html), 'product:': 'paid-skill', mail: 'on', act: 'import' };
  expect(whole).toMatchObject(named);
  expect(wordsOf((await send(IMPORT, whole)).html)).toContain('Made 1 order;');
  expect(mails.page(null, null).rows).toMatchObject([{ kind: 'claim', address: 'öde@example.org' }]);
});

test('a form without a list asks for one', async () => {
  expect(wordsOf((await upload('')).html)).toContain('Choose a file, or paste the list.');
  expect(wordsOf((await open(IMPORT)).html)).not.toContain('Choose a file, or');
});

test('our own list is refused whole with each wrong line, and stays in the form', async () => {
  const before = orders.count(ANY_ORDER);
  const csv = 'ref,email,slug\n1,ann@example.org,paid-book\n2,ann,paid-book\n';
  const { status, html } = await send(IMPORT, { csv, act: 'import' });
  expect([status, orders.count(ANY_ORDER)]).toEqual([400, before]);
  expect(wordsOf(html)).toContain('none was added: line 3: Cannot read "ann" as an e-mail address');
  expect(fieldsOf(html)['csv']).toBe(csv);
});

test.each([1_030_000, 3_000_000])('a form of %d bytes is too large', async (size) => {
  expect((await send(IMPORT, { csv: 'x'.repeat(size) })).status).toBe(413);
});

test('thousands of rows are imported at once, and all that are left are told', async () => {
  const rows = Array.from({ length: 3000 }, (_, n) => `${n}@example.org,paid-book,2025-01-01`);
  const columns = { column0: 'email', column1: 'product', column2: 'paid_at' };
  const csv = ['who,what,when', ...rows].join('\n');
  const { html } = await send(IMPORT, { csv: csv.replaceAll('paid-book', '=nothing'), ...columns });
  expect(wordsOf(html)).toContain(
    'Rows that are left out, the first 200 Line Buyer Why 2 0…@e… nothing here',
  );
  expect(html.match(/<tr /g)).toHaveLength(201);
  expect(html.match(/^\d+,\d…@e…,/gm)).toHaveLength(3000);
  expect(wordsOf((await send(IMPORT, { csv, ...columns, act: 'import' })).html)).toContain(
    'Made 3,000 orders',
  );
});

test('a list of many products asks about a hundred at a time, and names the number of the others', async () => {
  const rows = Array.from(
    { length: 3_000 },
    (_, n) => `p${n},product ${n},a${n}@example.org,2025-01-02,19,0`,
  );
  const list = [GUMROAD.split('\n')[0], ...rows].join('\n');
  const { html } = await upload(list);
  expect(html.match(/<select/g)).toHaveLength(100);
  expect(wordsOf(html)).toContain(
    '2900 more products have no item: they are asked about once these are chosen.',
  );
  const again = await send(IMPORT, { ...fieldsOf(html), 'product:product 7': 'paid-book' });
  expect(wordsOf(again.html)).toContain('This would make 1 order; 0 known before, 2,999 rows left out.');
  expect(fieldsOf(again.html)).toMatchObject({ 'product:product 7': 'paid-book', 'product:product 100': '' });
});

test('rows left out are listed as CSV up to a bound', async () => {
  const rows = Array.from({ length: 6_000 }, (_, n) => `p${n},x,a${n}@example.org,2025-01-02,19,0`);
  const { html } = await upload([GUMROAD.split('\n')[0], ...rows].join('\n'));
  expect(wordsOf(html)).toContain('The first 5000 as CSV');
  expect(/name="left"[^>]*>([^<]*)</.exec(html)?.[1]?.trim().split('\n')).toHaveLength(5_000);
});

test('the empty rows that spreadsheets write at the end are passed over', async () => {
  const { html } = await upload(`${GUMROAD}\n${',,,,,\r\n'.repeat(100_000)}`);
  expect(wordsOf(html)).toContain('2 rows left out');
  const { html: between } = await upload(GUMROAD.replace('\nb==', '\n,,,,,\n\n , ,,,,\nb=='));
  expect(wordsOf(between)).toContain('2 rows left out');
});

test.each([
  ['a header without an end', `${'a,'.repeat(60_000)}\n1`, 'line 1 has over 65536 bytes'],
  ['a line without an end', `${GUMROAD}\n${'a'.repeat(70_000)}`, 'line 5 has over 65536 bytes'],
  ['too many lines', `${'\n'.repeat(100_001)}a,b`, 'a file has 100000 lines at most'],
  ['too many columns', `${'a,'.repeat(300)}\n1`, 'it has 301 columns, and 200 at most are read'],
])('%s is refused', async (_, csv, reason) => {
  const { status, html } = await upload(csv);
  expect([status, wordsOf(html)]).toEqual([400, expect.stringContaining(reason)]);
});
